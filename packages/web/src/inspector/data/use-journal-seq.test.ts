import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "../../state/store.ts";
import { throttle } from "./use-journal-seq.ts";

describe("a throttled subscription", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open() {
    const store = createStore(0);
    const seen: number[] = [];
    const stop = throttle(store.subscribe, 500)(() => seen.push(store.get()));
    return { seen, stop, set: (value: number) => store.update(() => value) };
  }

  it("reports many changes once, with the newest value", () => {
    const { seen, set } = open();
    for (const value of [1, 2, 3]) set(value);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(seen).toEqual([3]);
  });

  it("reports a change that falls between the end of a pause and the next rendering", () => {
    const { seen, set } = open();
    set(1);
    vi.advanceTimersByTime(500);
    set(2);
    vi.advanceTimersByTime(10_000);
    expect(seen).toEqual([1, 2]);
  });

  it("reports nothing after it was ended", () => {
    const { seen, set, stop } = open();
    set(1);
    stop();
    set(2);
    vi.advanceTimersByTime(10_000);
    expect(seen).toEqual([]);
  });
});
