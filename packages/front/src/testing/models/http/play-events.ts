/**
 * Sends a streamed answer, piece by piece over the socket, with the delays and the interruption in the script. Ends
 * early when the client has disconnected.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageReply } from "../script/reply.ts";
import type { WireEvent } from "./wire-event.ts";

export interface Playing {
  /** The events of an error that interrupts the stream after this many events. */
  readonly errorEvents: (sent: number) => readonly WireEvent[];
  readonly spell: (event: WireEvent) => string | Uint8Array;
  /** Closes the connection. */
  readonly cut: () => void;
  /** Aborts when the connection has ended. */
  readonly gone: AbortSignal;
}

export async function playEvents(
  response: ServerResponse,
  events: readonly WireEvent[],
  { delayMs = 0, interrupt }: MessageReply,
  playing: Playing,
): Promise<void> {
  const { gone } = playing;
  let pieces = 0;
  for (const [sent, event] of events.entries()) {
    if (gone.aborted) return;
    const interrupted =
      interrupt !== undefined && (event.role === "end" || (event.role === "piece" && pieces >= interrupt.after));
    if (interrupted) return interruptBy(interrupt.by, response, sent, playing);
    if (event.role === "piece") {
      pieces++;
      if (delayMs > 0) await sleep(delayMs, undefined, { signal: gone }).catch(ignoreAbort);
    }
    await send(response, event, playing);
  }
  if (!gone.aborted) response.end();
}

async function interruptBy(
  by: "cut" | "stall" | "error",
  response: ServerResponse,
  sent: number,
  playing: Playing,
): Promise<void> {
  const { errorEvents, cut, gone } = playing;
  switch (by) {
    case "cut":
      // Closes the connection so that sent data still arrives; destroying the socket would lose unsent bytes.
      await flushed(response);
      cut();
      return;
    case "stall":
      await untilAborted(gone);
      return;
    case "error":
      for (const event of errorEvents(sent)) await send(response, event, playing);
      response.end();
  }
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

async function send(response: ServerResponse, event: WireEvent, { spell, gone }: Playing): Promise<void> {
  if (response.write(spell(event)) || gone.aborted) return;
  await once(response, "drain", { signal: gone }).catch(ignoreAbort);
}

function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.write("", () => setImmediate(resolve));
  });
}

/** Waits, and returns early without an error when the client disconnects. The caller then checks the signal. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
