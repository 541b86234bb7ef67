/** The events for a follower, as a response body: read on demand, and released when the client disconnects. */

/** `follower`: its place among the followers. Releasing it ends a wait for the next event. `onLeft` is called when the client disconnects. */
export function followerStream(
  follower: Disposable,
  texts: AsyncGenerator<string, void, undefined>,
  onLeft: () => Promise<void> = async () => undefined,
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
        follower[Symbol.dispose]();
        // Ends the iteration, whatever it is doing.
        await texts.return();
        await onLeft();
      },
    },
    { highWaterMark: 1 },
  );
}
