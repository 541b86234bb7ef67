import { getEventListeners } from "node:events";
import type { EventSourceMessage } from "eventsource-parser";
import { afterEach, expect, test, vi } from "vitest";
import { type Connection, follow, waitAfter } from "./follow.ts";

afterEach(() => vi.unstubAllGlobals());

/** A server that gives these answers in turn, and then no more. */
function answer(...answers: readonly (() => Response | Promise<Response>)[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const next = answers[asked.length];
    asked.push(address);
    if (next === undefined) throw new TypeError("no connection");
    return next();
  });
  return asked;
}

const stream = (text: string) => () => new Response(text);

async function followed(after: number): Promise<{ events: EventSourceMessage[]; connections: Connection[] }> {
  const events: EventSourceMessage[] = [];
  const connections: Connection[] = [];
  const control = new AbortController();
  await follow({
    conversationId: "c1",
    after,
    signal: control.signal,
    onEvent: (event) => events.push(event),
    onConnection: (connection) => connections.push(connection),
    onGone: () => control.abort(),
  });
  return { events, connections };
}

const gone = () => new Response("", { status: 404 });

test("a reconnect continues after the last event with an id", async () => {
  const asked = answer(
    stream("id: 5\ndata: a\n\nevent: stream.delta\ndata: b\n\n"),
    stream("id: 6\ndata: c\n\n"),
    gone,
  );
  const { events } = await followed(4);
  expect(asked.map((address) => new URL(address, "http://x").searchParams.get("after"))).toEqual(["4", "5", "6"]);
  expect(events.map(({ data }) => data)).toEqual(["a", "b", "c"]);
});

test("a connection that cannot be made is reported as lost, and as live when it is back", async () => {
  answer(
    () => Promise.reject(new TypeError("no connection")),
    () => new Response("", { status: 503 }),
    stream("id: 1\ndata: a\n\n"),
    gone,
  );
  const { connections } = await followed(0);
  expect(connections.indexOf("lost")).toBeGreaterThanOrEqual(0);
  expect(connections.lastIndexOf("live")).toBeGreaterThan(connections.indexOf("lost"));
});

test("a conversation that is deleted ends the following", async () => {
  const asked = answer(gone);
  await followed(0);
  expect(asked).toHaveLength(1);
});

test("a reconnect leaves no listener on the signal of the conversation", async () => {
  answer(stream("id: 1\ndata: a\n\n"), stream("id: 2\ndata: b\n\n"), gone);
  const { signal } = new AbortController();
  await follow({ conversationId: "c1", after: 0, signal, onEvent() {}, onConnection() {}, onGone() {} });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("waits double, have a limit, and differ from client to client", () => {
  expect([1, 2, 3].map((failures) => waitAfter(failures, () => 1))).toEqual([500, 1000, 2000]);
  expect(waitAfter(50, () => 1)).toBe(15_000);
  expect(waitAfter(3, () => 0)).toBe(1000);
});
