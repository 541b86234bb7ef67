/** A chat on a screen: finished text above, then the growing text, the input line and the status line. */
import type { KnownEvent } from "@cairn/timeline";
import { paint, plainText, type Style, type Terminal } from "../../command/terminal.ts";
import { GrowingMarkdown, GrowingPlain } from "../draw/growing.ts";
import { drawMarkdown } from "../draw/markdown.ts";
import { type Pen, wrapIndented, wrapText } from "../draw/style.ts";
import type { EditorPlace, EditorView } from "../input/editor-view.ts";
import type { ChatOutput, LineStyle } from "../show/output.ts";
import { Meter } from "./meter.ts";
import { type Frame, Screen } from "./screen.ts";
import { drawStatus, type Status } from "./status-line.ts";

/** The input line, which draws itself. */
export interface ScreenInput {
  view(place: Omit<EditorPlace, "prompt">): EditorView;
}

interface ShownModel {
  readonly id: string;
  readonly contextTokens: number;
}

export class ScreenOutput implements ChatOutput {
  readonly isLive = true;
  readonly screen: Screen;
  readonly #terminal: Terminal;
  readonly #hasColour: boolean;
  #input: ScreenInput | null = null;
  #growing: { readonly kind: string; readonly lines: GrowingMarkdown | GrowingPlain } | null = null;
  #conversation = "";
  #model: ShownModel = { id: "", contextTokens: 0 };
  #meter = new Meter();
  #doing: Status["doing"] = null;
  #clock: NodeJS.Timeout | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#hasColour = paint(terminal.stdout, "bold", "x") !== "x";
    this.screen = new Screen(terminal.stdout, () => this.#frame());
  }

  /** The input line below the text. */
  attach(input: ScreenInput): void {
    this.#input = input;
  }

  /** The conversation that is shown. */
  get conversation(): string {
    return this.#conversation;
  }

  /** Shows another conversation from now on. */
  begin(conversation: string, model: ShownModel, meter: Meter): void {
    this.#conversation = conversation;
    this.#meter = meter;
    this.use(model);
  }

  /** Shows the model that the next messages will use. */
  use(model: ShownModel): void {
    this.#model = model;
    this.screen.refresh();
  }

  line(style: LineStyle, text: string): void {
    this.endText();
    this.#print(this.#wrap([text]).map((line) => this.#paint(style, line)));
  }

  print(lines: readonly string[]): void {
    this.endText();
    this.#print(this.#wrap(lines));
  }

  answer(text: string): void {
    this.endText();
    this.#print(drawMarkdown(plainText(text), this.#pen));
  }

  details(lines: readonly string[]): void {
    this.endText();
    const drawn = this.#wrap(lines).map((line) => this.#paint("dim", line));
    this.#print(drawn.length === 0 ? [""] : ["", ...drawn, ""]);
  }

  /** Shows a sent message in its final form. */
  echo(prompt: string, text: string): void {
    this.endText();
    const [first = "", ...rest] = plainText(text)
      .split("\n")
      .flatMap((line) => wrapText(line, this.screen.width - 2));
    const lines = wrapText(`${this.#paint("cyan", prompt)}${first}`, this.screen.width);
    this.#print([...lines, ...rest.map((line) => `  ${line}`)]);
  }

  /** Adds a piece of text. Each frame parses the unfinished block once, even if many pieces have arrived. */
  grow(kind: string, text: string): void {
    if (this.#growing !== null && this.#growing.kind !== kind) this.endText();
    this.#growing ??= { kind, lines: kind === "say" ? new GrowingMarkdown() : new GrowingPlain() };
    this.#growing.lines.push(plainText(text));
    this.screen.refresh();
  }

  endText(): void {
    const growing = this.#growing;
    this.#growing = null;
    if (growing !== null) this.#print(growing.lines.end(this.#pen));
  }

  doing(what: string | null): void {
    if (what === null) this.#setDoing(null);
    else if (this.#doing?.what !== what) this.#setDoing({ what, since: Date.now(), until: null });
  }

  wait(reason: string, ms: number): void {
    this.line("yellow", `${reason} Ctrl-C stops.`);
    this.#setDoing({ what: "retrying in", since: Date.now(), until: Date.now() + ms });
  }

  meter(event: KnownEvent): void {
    this.#meter.see(event);
    this.screen.refresh();
  }

  /** Removes the live rows for good. */
  close(): void {
    this.endText();
    this.#setDoing(null);
    this.screen.close();
  }

  #setDoing(doing: Status["doing"]): void {
    this.#doing = doing;
    if (this.#clock !== null) clearInterval(this.#clock);
    this.#clock = doing === null ? null : setInterval(() => this.screen.refresh(), 1_000).unref();
    this.screen.refresh();
  }

  /** Wraps text without its control codes, because it may come from anyone. Colours are added to the wrapped lines. */
  #wrap(texts: readonly string[]): string[] {
    return texts
      .flatMap((text) => plainText(text).split("\n"))
      .flatMap((line) => wrapIndented(line, this.screen.width));
  }

  #print(lines: readonly string[]): void {
    if (lines.length > 0) this.screen.print(lines);
  }

  #frame(): Frame {
    const { width, rows } = this.screen;
    const view = this.#input?.view({ width, maxRows: Math.max(1, Math.floor(rows / 3)) });
    const input = view ?? { rows: [], row: 0, column: 0 };
    const room = rows - input.rows.length - 2;
    const finished = this.#growing?.lines.take(this.#pen) ?? [];
    const growing = (this.#growing?.lines.live(this.#pen) ?? []).slice(-room);
    const { cost, input: tokens } = this.#meter;
    const { id, contextTokens } = this.#model;
    const status = drawStatus(
      { model: id, tokens, window: contextTokens, cost, doing: this.#doing },
      width,
      Date.now(),
    );
    const shown = [...growing, ...input.rows, this.#paint("dim", status)];
    return { finished, rows: shown, row: growing.length + input.row, column: input.column };
  }

  get #pen(): Pen {
    return {
      width: this.screen.width,
      hasColour: this.#hasColour,
      paint: (style, text) => this.#paint(style, text),
    };
  }

  #paint(style: Style, text: string): string {
    return paint(this.#terminal.stdout, style, text);
  }
}
