/**
 * Records the position of the conversation in every frame: the scroll position, and where each drawn row is on the
 * screen.
 */
import type { Page } from "playwright-core";

export interface TracedFrame {
  /** Milliseconds since the trace began. */
  readonly ms: number;
  readonly top: number;
  /** Number of pixels below the visible part of the list. */
  readonly below: number;
  /** Distance of each part from the top of the list, by the kind of its row and its first words. */
  readonly rows: Readonly<Record<string, number>>;
}

export class ScrollTrace {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Traces the rows of the conversation, or other elements in it. */
  static async start(page: Page, parts = "[data-row]"): Promise<ScrollTrace> {
    await page.evaluate(traceInPage, parts);
    return new ScrollTrace(page);
  }

  /** Waits until a number of further frames have been drawn. */
  async frames(count: number): Promise<void> {
    await this.#page.evaluate(async (more) => {
      const frames: unknown[] = Reflect.get(globalThis, "tracedFrames");
      const until = frames.length + more;
      while (frames.length < until) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, count);
  }

  /** Returns all frames that were traced so far. */
  read(): Promise<TracedFrame[]> {
    return this.#page.evaluate(() => Reflect.get(globalThis, "tracedFrames"));
  }
}

/**
 * Reads each frame as it is painted: in a resize observer that runs after the app's observers, because its elements are
 * deeper and newer. A frame callback would run before the layout, and a task maybe after the next change.
 */
function traceInPage(parts: string): void {
  const frames: TracedFrame[] = [];
  Reflect.set(globalThis, "tracedFrames", frames);
  const list = document.querySelector("section[aria-label=Conversation]");
  if (list === null) throw new Error("No conversation is open.");
  const began = performance.now();
  const read = (): TracedFrame => {
    const from = list.getBoundingClientRect().top;
    const rows: Record<string, number> = {};
    for (const row of list.querySelectorAll(parts)) {
      const name = `${row.getAttribute("data-row") ?? "part"}: ${(row.textContent ?? "").slice(0, 40)}`;
      rows[name] = row.getBoundingClientRect().top - from;
    }
    const { scrollTop, scrollHeight, clientHeight } = list;
    return { ms: performance.now() - began, top: scrollTop, below: scrollHeight - scrollTop - clientHeight, rows };
  };

  let probe = document.body.appendChild(document.createElement("div"));
  probe.style.cssText = "position: fixed; visibility: hidden; contain: strict";
  for (let depth = 0; depth < 60; depth++) probe = probe.appendChild(document.createElement("div"));
  const inner = probe.appendChild(document.createElement("div"));
  const toggle = (element: HTMLElement) => {
    element.style.height = element.style.height === "1px" ? "2px" : "1px";
  };
  // Reads the frame once more, after the app has reacted to the first round of size changes.
  new ResizeObserver((entries) => {
    if (entries.some(({ target }) => target === probe)) toggle(inner);
    else frames.pop();
    frames.push(read());
  }).observe(probe);
  const frame = () => {
    toggle(probe);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** The maximum number of pixels below the visible part, over all frames. */
export function furthestFromEnd(frames: readonly TracedFrame[]): number {
  return Math.max(...frames.map((frame) => frame.below));
}

/** How far any row that was visible in the first frame moved from its first place in a later frame. */
export function furthestFromPlace([first, ...later]: readonly TracedFrame[]): number {
  const seen = Object.entries(first?.rows ?? {}).filter(
    ([name, top]) => top >= 0 && top < 500 && !/^(work|end|live)/.test(name),
  );
  if (seen.length === 0) throw new Error("Nothing was in sight in the first frame.");
  const moves = later.flatMap(({ rows }) =>
    seen.map(([name, top]) => Math.abs((rows[name] ?? Number.POSITIVE_INFINITY) - top)),
  );
  return Math.max(...moves);
}
