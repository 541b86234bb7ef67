import { expect, it, vi } from "vitest";
import { streamBody } from "./stream-body.ts";

it("a chunk that arrives after the client left is dropped, and is no error", async () => {
  const late = Promise.withResolvers<Uint8Array>();
  async function* source() {
    yield new Uint8Array([1]);
    yield await late.promise;
  }
  const cutOff = vi.fn(() => true);
  const reader = streamBody(source(), { cutOff }).getReader();
  await reader.read();
  const leaving = reader.cancel();
  late.resolve(new Uint8Array([2]));
  await leaving;
  expect(cutOff).not.toHaveBeenCalled();
});
