/** What a follower is sent, as the body of a response: read as fast as it is taken, let go of when it is not wanted. */
import type { Following } from "./live-hub.ts";

export function followerStream(following: Following, texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => {
        following.mailbox.close();
        following[Symbol.dispose]();
      },
    },
    { highWaterMark: 1 },
  );
}
