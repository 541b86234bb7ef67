/** A body that ends by itself: nobody goes on to read behind a token that has expired. */

/** Timers take no more. */
const LONGEST_MS = 2 ** 31 - 1;

export function endingStream(body: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    controller.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        timer = setTimeout(
          () => {
            end(controller);
            void reader.cancel();
          },
          Math.min(Math.max(0, ms), LONGEST_MS),
        );
        timer.unref();
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) end(controller);
        else if (!isOver) controller.enqueue(value);
      },
      cancel: (reason) => {
        isOver = true;
        clearTimeout(timer);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 1 },
  );
}
