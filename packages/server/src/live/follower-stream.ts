/** What a follower is sent, as the body of a response: read as fast as it is taken, let go of when it is not wanted. */
import type { Following } from "./live-hub.ts";

/** `current`: its place among the followers, which may become another while it reads. */
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
        // Whatever it is at, it comes to its end.
        await texts.return();
      },
    },
    { highWaterMark: 1 },
  );
}
