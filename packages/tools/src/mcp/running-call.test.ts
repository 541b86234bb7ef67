import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RunningCall } from "./running-call.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FORM = { message: "Which size?", requestedSchema: { type: "object", properties: {} } };

function begin() {
  const running = new RunningCall({ server: "shop", timeoutMs: 1_000, factor: 10 });
  const { promise, resolve, reject } = Promise.withResolvers<{ content: [] }>();
  running.signal.addEventListener("abort", () => reject(running.signal.reason));
  running.start(promise);
  return { running, end: () => resolve({ content: [] }) };
}

it("progress while a question is open does not restart the timeout of the call", async () => {
  const { running, end } = begin();
  const answered = running.ask(FORM);
  running.heard();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(running.signal.aborted).toBe(false);
  running.answer({ action: "decline" });
  expect(await answered).toEqual({ action: "decline" });
  end();
  expect(await running.next(new AbortController().signal)).toEqual({ result: { content: [] } });
  expect(vi.getTimerCount()).toBe(0);
});

it("an answer to a call that has ended, and progress after its end, start no timer", async () => {
  const { running, end } = begin();
  const answered = running.ask(FORM);
  end();
  await vi.advanceTimersByTimeAsync(0);
  running.answer({ action: "decline" });
  running.heard();
  expect(await answered).toEqual({ action: "decline" });
  expect(await running.ask(FORM)).toEqual({ action: "cancel" });
  expect(vi.getTimerCount()).toBe(0);
});
