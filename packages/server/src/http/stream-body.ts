/**
 * Response bodies that are read on demand and released when the client disconnects.
 *
 * When a body cannot be completed, its status was already sent. The HTTP library would then print the error without
 * Cairn's log, and append its message to the body, which would look complete. Instead, the error goes to Cairn's log,
 * which removes secrets, and the connection is cut, so that the client sees that the response is incomplete.
 */

/** Logs why a body cannot be completed, and cuts the connection. Returns false if there is no connection to cut. */
export type CutOff = (error: unknown) => boolean;

export interface StreamBodyOptions {
  readonly cutOff: CutOff;
  /** Called when the client disconnects, before the source is closed. */
  readonly onLeaving?: () => void;
  /** Called when the client has disconnected and the source is closed. */
  readonly onLeft?: () => Promise<void>;
}

export function streamBody(source: AsyncIterable<Uint8Array>, options: StreamBodyOptions): ReadableStream<Uint8Array> {
  const { cutOff, onLeaving, onLeft } = options;
  const chunks = source[Symbol.asyncIterator]();
  let hasLeft = false;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await chunks.next();
        // The client has left, so a chunk that still arrives is dropped.
        if (hasLeft) return;
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (cutOff(error)) controller.close();
        else controller.error(new Error("The response could not be completed. The server's log has the reason."));
      }
    },
    cancel: async () => {
      hasLeft = true;
      onLeaving?.();
      // Ends the source, even if it is waiting for its next chunk.
      await chunks.return?.();
      await onLeft?.();
    },
  });
}

/** Encodes texts as UTF-8 bytes. */
export async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
