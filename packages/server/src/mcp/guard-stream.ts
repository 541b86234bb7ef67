/** Ends an event stream when its caller loses access. */

const CHECK_MS = 15_000;

export function guardStream(
  response: Response,
  isAllowed: () => Promise<boolean>,
  onFailure: (error: unknown) => void,
  checkMs = CHECK_MS,
): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return response;
  const end = new AbortController();
  const timer = setInterval(() => {
    isAllowed().then((allowed) => {
      if (!allowed) end.abort(new Error("Access has ended."));
    }, onFailure);
  }, checkMs);
  timer.unref();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // The client left, or access ended: either way the source is cancelled, and nothing is left to report.
  void response.body
    .pipeTo(writable, { signal: end.signal })
    .catch(() => undefined)
    .finally(() => clearInterval(timer));
  return new Response(readable, response);
}
