/** The events for a follower, as a response body: read on demand, and released when the client disconnects. */
import type { Following } from "cairn-agent/turns";

/** `current`: its place among the followers, which may be replaced while it reads. */
export function followerStream(
  current: () => Following,
  texts: AsyncGenerator<string, void, undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        const following = current();
        following.mailbox.close();
        following[Symbol.dispose]();
        // Ends the iteration, whatever it is doing.
        await texts.return();
      },
    },
    { highWaterMark: 1 },
  );
}
