/**
 * Follows a conversation's journal. It connects, resumes after the last seq, and never gives up, with a back-off after
 * each failure. The connection counts as lost only if it cannot be made, or if no data comes for longer than three
 * heartbeats.
 */
import { followConversation } from "@cairn/api";
import { backOff, jittered } from "@cairn/timeline";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { serverAddress } from "./address.ts";
import { authHeaders, tellTokenRefused } from "./token.ts";

export type Connection = "connecting" | "live" | "lost";

export interface FollowOptions {
  readonly conversationId: string;
  readonly after: number;
  readonly onEvent: (event: EventSourceMessage) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The conversation no longer exists: following ends. */
  readonly onGone: () => void;
  readonly signal: AbortSignal;
}

const SILENCE_MS = 50_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

export async function follow(options: FollowOptions): Promise<void> {
  const { signal, onConnection } = options;
  let after = options.after;
  let failures = 0;
  const onEvent = (event: EventSourceMessage) => {
    const seq = Number(event.id ?? Number.NaN);
    if (Number.isSafeInteger(seq)) after = Math.max(after, seq);
    options.onEvent(event);
  };
  while (!signal.aborted) {
    onConnection(failures > 1 ? "lost" : "connecting");
    const outcome = await readOnce(options, after, onEvent, () => {
      failures = 0;
      onConnection("live");
    });
    if (outcome === "gone") return options.onGone();
    if (signal.aborted) return;
    failures++;
    // A connection that was closed normally, for example by a proxy with a time limit, is reopened at once.
    if (outcome === "failed") onConnection("lost");
    await wait(outcome === "ended" && failures === 1 ? 50 : waitAfter(failures), signal);
  }
}

/** The wait doubles from 0.5 to 15 seconds. Half of it is random, so that clients retry at different times. */
export function waitAfter(failures: number, random: () => number = Math.random): number {
  return jittered(backOff(failures, FIRST_WAIT_MS, MAX_WAIT_MS), random);
}

async function readOnce(
  { conversationId, signal }: FollowOptions,
  after: number,
  onEvent: (event: EventSourceMessage) => void,
  onOpen: () => void,
): Promise<"ended" | "failed" | "gone"> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(serverAddress(followConversation, { id: conversationId }, { after }), {
      headers: { accept: "text/event-stream", ...authHeaders() },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: "no-store",
    });
    if (response.status === 404) return "gone";
    if (response.status === 401) tellTokenRefused();
    if (!response.ok || response.body === null) return "failed";
    onOpen();
    const parser = createParser({ onEvent });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "ended";
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(value);
    }
  } catch {
    return "failed"; // All kinds of failures end here. The caller opens another connection.
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until the time is over, the signal aborts or the network is back. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
    globalThis.removeEventListener?.("online", wake);
    resolve();
  };
  const timer = setTimeout(wake, ms);
  signal.addEventListener("abort", wake, { once: true });
  globalThis.addEventListener?.("online", wake, { once: true });
  return promise;
}
