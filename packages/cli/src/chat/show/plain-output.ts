/** A chat in a pipe: standard output has the answers, and standard error has everything else. */
import { paint, plainText, type Terminal } from "../../command/terminal.ts";
import type { ChatOutput, LineStyle } from "./output.ts";

export class PlainOutput implements ChatOutput {
  readonly isLive = false;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  line(style: LineStyle, text: string): void {
    const { stderr } = this.#terminal;
    stderr.write(`${paint(stderr, style, plainText(text))}\n`);
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.#terminal.stdout.write(`${plainText(line)}\n`);
  }

  answer(text: string): void {
    this.#terminal.stdout.write(`${plainText(text)}\n`);
  }

  details(lines: readonly string[]): void {
    const { stdout } = this.#terminal;
    if (lines.length > 0) stdout.write(`\n${lines.map((line) => paint(stdout, "dim", plainText(line))).join("\n")}\n`);
    stdout.write("\n");
  }

  wait(reason: string, ms: number): void {
    this.line("yellow", `${reason} Retrying in ${Math.ceil(ms / 1_000)} s. Ctrl-C stops.`);
  }

  grow(): void {}
  endText(): void {}
  doing(): void {}
  meter(): void {}
}
