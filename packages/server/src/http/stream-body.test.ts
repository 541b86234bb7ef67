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

it.each([
  ["there is a connection to cut", true],
  ["there is none", false],
])("when a body fails and %s, its reader never sees the reason", async (_, isCut) => {
  async function* source() {
    yield Buffer.from("begun ");
    throw new Error("sk-secret-key of /home/ada");
  }
  const cutOff = vi.fn(() => isCut);
  const told = await new Response(streamBody(source(), { cutOff })).text().catch(String);
  expect(told).not.toMatch(/sk-secret|ada/);
  // The log contains the whole reason. It removes secrets.
  expect(cutOff).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "sk-secret-key of /home/ada" }));
});
