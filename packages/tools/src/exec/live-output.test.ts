import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveOutput } from "./live-output.ts";

describe("the output of a running program", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = () => {
    const told: string[] = [];
    const output = new LiveOutput((lines) => told.push(lines));
    const write = (text: string) => output.push(Buffer.from(text));
    return { told, output, write };
  };

  it("is told in whole lines, twice a second at most", () => {
    const { told, write } = open();
    write("one\ntw");
    expect(told).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(told).toEqual(["one"]);
    vi.advanceTimersByTime(5_000);
    write("o\n\nthree\r");
    vi.advanceTimersByTime(500);
    expect(told).toEqual(["one", "two\nthree"]);
  });

  it("is told by its end when there is much of it, and characters may come in parts", () => {
    const { told, output, write } = open();
    for (let n = 0; n < 10_000; n++) write(`line ${n}\n`);
    const bytes = Buffer.from("é\n");
    output.push(bytes.subarray(0, 1));
    output.push(bytes.subarray(1));
    vi.advanceTimersByTime(500);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/line 9999\né$/);
    expect(told[0]?.length).toBeLessThanOrEqual(500);
    write("half a l");
    expect(output.tail).toMatch(/line 9999\né\nhalf a l$/);
    expect(output.tail).toHaveLength(4_000);
  });

  it("is not told after the end of the program", () => {
    const { told, output, write } = open();
    write("one\n");
    output[Symbol.dispose]();
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual([]);
  });
});
