/** Collects items between two frames, so that a burst of events causes one render. Hidden pages use a timer. */
export interface FrameQueue<T> {
  push(item: T): void;
  /** Passes on pending items and accepts no more. */
  close(): void;
}

const HIDDEN_MS = 100;

export function createFrameQueue<T>(take: (items: readonly T[]) => void): FrameQueue<T> {
  let waiting: T[] = [];
  let cancel: (() => void) | null = null;
  let isClosed = false;
  const flush = () => {
    cancel = null;
    const items = waiting;
    waiting = [];
    if (items.length > 0) take(items);
  };
  const schedule = (): (() => void) => {
    if (document.visibilityState === "hidden") {
      const timer = setTimeout(flush, HIDDEN_MS);
      return () => clearTimeout(timer);
    }
    const frame = requestAnimationFrame(flush);
    return () => cancelAnimationFrame(frame);
  };
  return {
    push: (item) => {
      if (isClosed) return;
      waiting.push(item);
      cancel ??= schedule();
    },
    close: () => {
      isClosed = true;
      cancel?.();
      flush();
    },
  };
}
