import { expect, it } from "vitest";
import { guardStream } from "./guard-stream.ts";

const fail = () => expect.unreachable();
const headers = { "content-type": "text/event-stream" };

it("a stream ends, and its source is cancelled, when its caller loses access", async () => {
  let allowed = true;
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(": here\n\n")),
    cancel: () => resolve(),
  });
  const guarded = guardStream(new Response(source, { headers }), async () => allowed, fail, 1);
  const reader = guarded.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(": here\n\n");
  allowed = false;
  await expect(reader?.read()).rejects.toThrow("Access has ended.");
  await cancelled;
});

it("a stream ends with its source, and a client that leaves cancels the source", async () => {
  const whole = guardStream(new Response("data: 1\n\n", { headers }), async () => true, fail);
  expect(await whole.text()).toBe("data: 1\n\n");
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const endless = new Response(new ReadableStream({ cancel: () => resolve() }), { headers });
  await guardStream(endless, async () => true, fail).body?.cancel();
  await cancelled;
});

it("a response that is not a stream stays as it is", () => {
  const response = Response.json({});
  expect(guardStream(response, async () => true, fail)).toBe(response);
});
