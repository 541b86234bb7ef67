/** Work that may take long: a terminal shows its progress, and Ctrl-C stops it cleanly, without partial results. */
import { CairnError } from "@cairn/timeline";
import { paint, type Terminal } from "./terminal.ts";

export interface Progress {
  /** Reports the progress, by default in bytes. Without a total, reports only the completed amount. */
  report(done: number, total?: number, unit?: "conversations"): void;
}

const SHOW_AFTER_MS = 300;
const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 24;

/** Runs the work under a label such as `Exporting`. Throws `interrupted` if it was stopped. */
export async function doLongWork<T>(
  terminal: Terminal,
  label: string,
  work: (progress: Progress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onInterrupt = () =>
    stop.abort(new CairnError("interrupted", "Interrupted. Nothing was left half done; run the command again."));
  process.once("SIGINT", onInterrupt);
  const line = terminal.stderr.isTTY === true ? new ProgressLine(terminal, label) : null;
  try {
    return await work({ report: (done, total, unit) => line?.report(done, total, unit) }, stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    line?.end();
    process.off("SIGINT", onInterrupt);
  }
}

class ProgressLine {
  readonly #terminal: Terminal;
  readonly #label: string;
  readonly #startedAt = Date.now();
  readonly #timer: NodeJS.Timeout;
  #done = 0;
  #total: number | null = null;
  #unit: "conversations" | "bytes" = "bytes";
  #isShown = false;

  constructor(terminal: Terminal, label: string) {
    this.#terminal = terminal;
    this.#label = label;
    this.#timer = setInterval(() => this.#draw(), DRAW_EVERY_MS);
  }

  report(done: number, total?: number, unit?: "conversations"): void {
    this.#done = done;
    this.#total = total ?? null;
    this.#unit = unit ?? "bytes";
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#isShown) this.#terminal.stderr.write("\r\x1b[K");
  }

  #draw(): void {
    const ms = Date.now() - this.#startedAt;
    if (ms < SHOW_AFTER_MS) return;
    this.#isShown = true;
    const text = describeProgress(this.#label, { done: this.#done, total: this.#total, unit: this.#unit, ms });
    this.#terminal.stderr.write(`\r\x1b[K${paint(this.#terminal.stderr, "dim", text)}`);
  }
}

interface WorkDone {
  readonly done: number;
  readonly total: number | null;
  readonly ms: number;
  readonly unit?: "conversations" | "bytes";
}

/** One line: a bar if the total is known, otherwise the completed amount and the time. */
export function describeProgress(label: string, { done, total, ms, unit = "bytes" }: WorkDone): string {
  const describe = (amount: number) => (unit === "bytes" ? describeBytes(amount) : `${amount} ${unit}`);
  const seconds = `${Math.floor(ms / 1_000)} s`;
  if (total === null || total <= 0) return `${label}…${done > 0 ? ` ${describe(done)}` : ""} ${seconds}`;
  const part = Math.min(1, done / total);
  const filled = Math.round(part * BAR_WIDTH);
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
  return `${label} ${bar} ${Math.floor(part * 100)} % of ${describe(total)} ${seconds}`;
}

export function describeBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1_000 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}

/** Passes bytes on and reports how many there were. */
export async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  onBytes: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of source) {
    done += chunk.length;
    onBytes(done);
    yield chunk;
  }
}
