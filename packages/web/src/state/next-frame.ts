/** Milliseconds after which the work runs if no frame is drawn, as in hidden pages. */
const HIDDEN_MS = 100;

/** Runs work before the next frame is drawn, so that many events cause one render. Returns a function to cancel it. */
export function onNextFrame(work: () => void): () => void {
  if (document.visibilityState === "hidden") {
    const timer = setTimeout(work, HIDDEN_MS);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
