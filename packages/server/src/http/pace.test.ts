import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { paced } from "./pace.ts";

it("a body whose sender has disconnected when the rest is not wanted fails no request", async () => {
  let isToldToStop = false;
  const chunks: AsyncIterator<Uint8Array> = {
    next: async () => ({ done: false, value: new Uint8Array(1) }),
    // A body whose connection breaks.
    return: async () => {
      isToldToStop = true;
      throw new Error("aborted");
    },
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const source = { [Symbol.asyncIterator]: () => chunks };
  for await (const chunk of paced(source, { graceMs: 60_000, bytesPerSecond: 1 })) {
    expect(chunk).toHaveLength(1);
    break;
  }
  await turn();
  process.off("unhandledRejection", note);
  expect(isToldToStop).toBe(true);
  expect(unhandled).toEqual([]);
});
