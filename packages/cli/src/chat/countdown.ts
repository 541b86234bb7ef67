/** A line that counts down the seconds of a wait in a terminal; elsewhere it is written once. */
import type { Writable } from "node:stream";

type Screen = Writable & { readonly isTTY?: boolean };

const TO_LINE_START = "\r\x1b[K";

export class Countdown {
  readonly #screen: Screen;
  #timer: NodeJS.Timeout | null = null;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** `say` returns the line for the remaining seconds. */
  start(ms: number, say: (seconds: number) => string): void {
    this.stop();
    let left = Math.ceil(ms / 1_000);
    if (this.#screen.isTTY !== true) {
      this.#screen.write(`${say(left)}\n`);
      return;
    }
    this.#screen.write(say(left));
    this.#timer = setInterval(() => {
      left = Math.max(0, left - 1);
      this.#screen.write(`${TO_LINE_START}${say(left)}`);
    }, 1_000).unref();
  }

  /** Ends the line, if one is being counted down. */
  stop(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#screen.write("\n");
  }
}
