/**
 * The body of a response for which memory is reserved until the client has read it. If the client reads more slowly
 * than the minimum speed, the connection is cut, so that the memory is released.
 */
import { CairnError } from "@cairn/timeline";
import type { Pace } from "./pace.ts";
import type { CutOff } from "./stream-body.ts";

/** Small pieces, so that progress is visible even for a client with a slow connection. */
const SLICE_BYTES = 65_536;

export interface HeldBodyOptions {
  readonly pace: Pace;
  readonly cutOff: CutOff;
  /** Releases the memory. Called when the body was read, cancelled or cut off; may be called more than once. */
  readonly release: () => void;
}

export function heldBody(
  body: ReadableStream<Uint8Array>,
  { pace: { graceMs, bytesPerSecond }, cutOff, release }: HeldBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let rest: Uint8Array = new Uint8Array();
  let size = 0;
  /** Time in which the client read nothing, without the time that the server itself needed. */
  let waited = 0;
  let began = performance.now();
  let late: NodeJS.Timeout | undefined;
  const awaitClient = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    began = performance.now();
    late = setTimeout(() => end(controller), Math.max(0, graceMs + (size / bytesPerSecond) * 1_000 - waited));
  };
  const end = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    release();
    rest = new Uint8Array();
    const error = new CairnError("too_slow", "The response was read too slowly. Request it over a faster connection.");
    // The result is not awaited: an error while closing the source would have no reader any more.
    reader.cancel(error).catch(() => undefined);
    if (cutOff(error)) controller.close();
    else controller.error(error);
  };
  return new ReadableStream<Uint8Array>(
    {
      start: awaitClient,
      pull: async (controller) => {
        clearTimeout(late);
        waited += performance.now() - began;
        try {
          if (rest.length === 0) {
            const { done, value } = await reader.read();
            if (done) {
              release();
              return controller.close();
            }
            rest = value;
          }
        } catch (error) {
          release();
          return controller.error(error);
        }
        const slice = rest.subarray(0, SLICE_BYTES);
        rest = rest.subarray(SLICE_BYTES);
        size += slice.length;
        controller.enqueue(slice);
        awaitClient(controller);
      },
      cancel: async (reason) => {
        clearTimeout(late);
        release();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
