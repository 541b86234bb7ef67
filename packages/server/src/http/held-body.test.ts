import { setTimeout as wait } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { heldBody } from "./held-body.ts";

const PACE = { graceMs: 20, bytesPerSecond: 1_000_000_000 };

function open(chunks: number, isConnected: boolean, pace = PACE) {
  const cancelled = vi.fn();
  let left = chunks;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(200_000).fill(left)) : controller.close()),
    cancel: cancelled,
  });
  const [release, cutOff] = [vi.fn(), vi.fn(() => isConnected)];
  return { body: heldBody(source, { pace, cutOff, release }), cancelled, release, cutOff };
}

it("room is held until the whole body was read, in small pieces", async () => {
  const { body, release, cutOff } = open(3, true, { ...PACE, graceMs: 60_000 });
  let bytes = 0;
  for await (const piece of body) {
    expect(release).not.toHaveBeenCalled();
    expect(piece.length).toBeLessThanOrEqual(65_536);
    bytes += piece.length;
  }
  expect(bytes).toBe(600_000);
  expect(release).toHaveBeenCalled();
  expect(cutOff).not.toHaveBeenCalled();
});

it.each([true, false])(
  "a body that nobody reads gives its room back and is cut off (connected: %s)",
  async (isConnected) => {
    const { body, cancelled, release, cutOff } = open(3, isConnected);
    const reader = body.getReader();
    await reader.read();
    await vi.waitFor(() => expect(release).toHaveBeenCalled());
    expect(cutOff).toHaveBeenCalledWith(expect.objectContaining({ code: "too_slow" }));
    expect(cancelled).toHaveBeenCalled();
    if (isConnected) expect(await reader.read()).toEqual({ done: true, value: undefined });
    else await expect(reader.read()).rejects.toThrow("read too slowly");
  },
);

it("a body that is cancelled gives its room back, and is not cut off later", async () => {
  const { body, cancelled, release, cutOff } = open(3, true);
  await body.cancel();
  expect(release).toHaveBeenCalled();
  expect(cancelled).toHaveBeenCalled();
  await wait(50);
  expect(cutOff).not.toHaveBeenCalled();
});
