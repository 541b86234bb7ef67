import { expect, it } from "vitest";
import { guardStream, type StreamGuard } from "./guard-stream.ts";

const headers = { "content-type": "text/event-stream" };

/** A guarded stream, and the function with which the test writes its source. */
function bench(given: Partial<StreamGuard> = {}) {
  const cancelled = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let write: (text: string) => void = () => undefined;
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => {
      write = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: () => cancelled.resolve(),
  });
  const guard = { isAllowed: async () => true, onFailure: () => expect.unreachable(), onEnd: ended.resolve, ...given };
  const { body } = guardStream(new Response(source, { headers }), guard);
  const reader = body?.getReader();
  const read = async () => {
    const { done = true, value } = (await reader?.read()) ?? {};
    return done ? null : new TextDecoder().decode(value);
  };
  return { write, read, leave: () => reader?.cancel(), cancelled: cancelled.promise, ended: ended.promise };
}

it("a stream ends without an error, and its source is cancelled, when its caller loses access", async () => {
  let allowed = true;
  const { write, read, cancelled, ended } = bench({ isAllowed: async () => allowed, checkMs: 1 });
  const first = read();
  write(": here\n\n");
  expect(await first).toBe(": here\n\n");
  allowed = false;
  expect(await read()).toBeNull();
  await Promise.all([cancelled, ended]);
});

it("a stream ends with its source, and a client that leaves cancels the source", async () => {
  const ended = Promise.withResolvers<void>();
  const guard = { isAllowed: async () => true, onFailure: () => expect.unreachable(), onEnd: ended.resolve };
  expect(await guardStream(new Response("data: 1\n\n", { headers }), guard).text()).toBe("data: 1\n\n");
  await ended.promise;
  const left = bench();
  await left.leave();
  await Promise.all([left.cancelled, left.ended]);
});

it("one large message passes, and the stream ends when more arrives before the client has read it", async () => {
  const large = "a".repeat(2 * 1024 * 1024);
  const reads = bench();
  reads.write(large);
  expect(await reads.read()).toBe(large);
  reads.write("more");
  expect(await reads.read()).toBe("more");
  const rests = bench();
  rests.write(large);
  rests.write("more");
  await Promise.all([rests.cancelled, rests.ended]);
  expect(await rests.read()).toBeNull();
});

it("a stream ends when its client reads nothing of what waits for it", async () => {
  const { write, read, cancelled, ended } = bench({ checkMs: 1 });
  write("data: 1\n\n");
  await Promise.all([cancelled, ended]);
  expect(await read()).toBeNull();
});

it("a response that is not a stream stays as it is, and has ended", async () => {
  const ended = Promise.withResolvers<void>();
  const response = Response.json({});
  const guard = { isAllowed: async () => true, onFailure: () => expect.unreachable(), onEnd: ended.resolve };
  expect(guardStream(response, guard)).toBe(response);
  await ended.promise;
});
