/**
 * Ends an event stream when its caller loses access or does not read it. The library that writes the stream does not
 * wait for the reader, so this file stores unread messages, up to a limit.
 */

const CHECK_MS = 15_000;
/** If more than this is unread, the next message ends the stream. A single message may have any size. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** If the caller reads nothing during this number of checks, the stream ends. */
const MAX_IDLE_CHECKS = 4;

export interface StreamGuard {
  readonly isAllowed: () => Promise<boolean>;
  /** Reports an error that is not the caller's fault. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, when the whole response was sent or dropped. */
  readonly onEnd: () => void;
  readonly checkMs?: number;
}

export function guardStream(response: Response, guard: StreamGuard): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream && response.body !== null) return new Response(guarded(response.body, guard), response);
  guard.onEnd();
  return response;
}

function guarded(body: ReadableStream<Uint8Array>, guard: StreamGuard): ReadableStream<Uint8Array> {
  const { isAllowed, onFailure, onEnd, checkMs = CHECK_MS } = guard;
  const source = body.getReader();
  const unread: Uint8Array[] = [];
  let bytes = 0;
  let idleChecks = 0;
  let hasSourceEnded = false;
  let hasEnded = false;
  let arrival = Promise.withResolvers<void>();

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(timer);
    unread.length = 0;
    arrival.resolve();
    onEnd();
  };
  const drop = () => {
    end();
    source.cancel().catch(onFailure);
  };
  const receive = async () => {
    for (;;) {
      const { done, value } = await source.read();
      if (done || hasEnded) return;
      if (bytes > MAX_UNREAD_BYTES) return drop();
      unread.push(value);
      bytes += value.byteLength;
      arrival.resolve();
    }
  };
  const timer = setInterval(() => {
    idleChecks = unread.length === 0 ? 0 : idleChecks + 1;
    if (idleChecks > MAX_IDLE_CHECKS) return drop();
    isAllowed().then((allowed) => {
      if (!allowed) drop();
    }, onFailure);
  }, checkMs);
  timer.unref();
  void receive()
    .catch(onFailure)
    .finally(() => {
      hasSourceEnded = true;
      arrival.resolve();
    });

  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        while (unread.length === 0 && !hasSourceEnded && !hasEnded) {
          arrival = Promise.withResolvers<void>();
          await arrival.promise;
        }
        const chunk = unread.shift();
        if (chunk !== undefined) {
          bytes -= chunk.byteLength;
          idleChecks = 0;
          controller.enqueue(chunk);
        }
        if (unread.length > 0 || !(hasSourceEnded || hasEnded)) return;
        end();
        controller.close();
      },
      cancel: drop,
    },
    { highWaterMark: 0 },
  );
}
