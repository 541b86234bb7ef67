import { expect, it, vi } from "vitest";
import { streamBody } from "./stream-body.ts";

it("a chunk that arrives after the client left is dropped, and is no error", async () => {
  const awaited = Promise.withResolvers<void>();
  const late = Promise.withResolvers<Uint8Array>();
  async function* source() {
    awaited.resolve();
    yield await late.promise;
  }
  const cutOff = vi.fn(() => true);
  const body = streamBody(source(), { cutOff });
  await awaited.promise;
  const leaving = body.cancel();
  late.resolve(new Uint8Array([1]));
  await leaving;
  expect(cutOff).not.toHaveBeenCalled();
});
