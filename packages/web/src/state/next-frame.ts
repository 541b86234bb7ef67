/** Time after which hidden pages, which draw no frames, run it. */
const HIDDEN_MS = 100;

/** Runs work before the next frame is drawn, so that a burst of events causes one render. Returns how to cancel it. */
export function onNextFrame(work: () => void): () => void {
  if (document.visibilityState === "hidden") {
    const timer = setTimeout(work, HIDDEN_MS);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
