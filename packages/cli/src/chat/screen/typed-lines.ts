/**
 * The input line of a terminal. It can be edited at any time, even while a turn runs. A line for which no reader waits
 * goes to `onEarly`, or is kept.
 */
import { plainText, type Terminal } from "../../command/terminal.ts";
import { type LineSource, MESSAGE_PROMPT } from "../ask/line-source.ts";
import { hasOpenFence } from "../ask/next-message.ts";
import { type CompletionSource, commonStart, complete } from "../input/complete.ts";
import { Editor } from "../input/editor.ts";
import { type EditorPlace, type EditorView, layOut } from "../input/editor-view.ts";
import type { History } from "../input/history.ts";
import { type Key, KeyDecoder } from "../input/keys.ts";
import type { ScreenInput, ScreenOutput } from "./screen-output.ts";

export interface TypedLinesParts {
  readonly output: ScreenOutput;
  readonly history: History;
  readonly completion: CompletionSource;
  /** Receives a line for which no reader waits. Returns false to keep the line. */
  readonly onEarly: (line: string) => boolean;
  /** Called when the person presses Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  /** Called when the person presses Ctrl-Z. */
  readonly onSuspend: () => void;
}

/** After this time, an incomplete sequence counts as the Escape key. */
const ESCAPE_MS = 50;
const MAX_OPTIONS = 100;
/** If keys follow each other faster than this, the person has not looked at the screen between them. */
const QUIET_MS = 500;
const QUIET_PROMPT = "(stop typing to answer the question) ";
/** Keys that also work when no text may be entered: after the end of the input, and before a question is open. */
const ALWAYS = new Set(["ctrl-c", "ctrl-z"]);

export class TypedLines implements LineSource, ScreenInput {
  readonly #stdin: Terminal["stdin"];
  readonly #parts: TypedLinesParts;
  readonly #decoder = new KeyDecoder();
  readonly #editor = new Editor();
  readonly #kept: string[] = [];
  #prompt = MESSAGE_PROMPT;
  #waiting: ((line: string | null) => void) | null = null;
  #hasEnded = false;
  #escape: NodeJS.Timeout | null = null;
  /** The draft of a message, while a question is answered. */
  #draft: { readonly text: string; readonly cursor: number } | null = null;
  /** Time of the last key press outside a question, and of the last answer to a question. */
  #typedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Set while keys are ignored after a question appeared, because they may be meant for a message. */
  #quiet: NodeJS.Timeout | null = null;
  readonly #actions: Readonly<Record<string, () => void>> = {
    enter: () => this.#enter(),
    tab: () => this.#complete(),
    up: () => this.#moveOrBrowse(-1),
    "ctrl-p": () => this.#moveOrBrowse(-1),
    down: () => this.#moveOrBrowse(1),
    "ctrl-n": () => this.#moveOrBrowse(1),
    "ctrl-c": () => (this.#editor.text === "" ? this.#parts.onInterrupt() : this.#editor.set("")),
    "ctrl-d": () => (this.#editor.text === "" ? this.#end() : void this.#editor.press("delete")),
    "ctrl-l": () => this.#parts.output.screen.clear(),
    "ctrl-z": () => this.#parts.onSuspend(),
  };
  readonly #onData = (chunk: Uint8Array | string) => this.#read(chunk);
  readonly #onEnd = () => this.#end();

  constructor({ stdin }: Terminal, parts: TypedLinesParts) {
    this.#stdin = stdin;
    this.#parts = parts;
    stdin.on("data", this.#onData);
    stdin.on("end", this.#onEnd);
  }

  /**
   * Lines that were typed early can become messages, but not answers, because their author did not see the question. If
   * a question appears while a person types, keys are ignored until the person pauses.
   */
  next(prompt: string): Promise<string | null> {
    const isMessage = prompt === MESSAGE_PROMPT;
    const kept = isMessage ? this.#kept.shift() : undefined;
    if (kept !== undefined) return Promise.resolve(kept);
    if (this.#hasEnded) return Promise.resolve(null);
    this.#prompt = prompt;
    if (!isMessage) {
      this.#draft = { text: this.#editor.text, cursor: this.#editor.cursor };
      this.#editor.set("");
      if (this.#isTyping(this.#draft.text)) this.#awaitQuiet();
    }
    this.#parts.output.screen.refreshNow();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  view(place: Omit<EditorPlace, "prompt">): EditorView {
    return layOut(this.#editor.text, this.#editor.cursor, {
      ...place,
      prompt: this.#quiet === null ? this.#prompt : QUIET_PROMPT,
    });
  }

  close(): void {
    this.#stdin.off("data", this.#onData);
    this.#stdin.off("end", this.#onEnd);
    this.#stdin.pause();
    if (this.#escape !== null) clearTimeout(this.#escape);
    this.#end();
  }

  #read(chunk: Uint8Array | string): void {
    if (this.#escape !== null) clearTimeout(this.#escape);
    this.#escape = null;
    if (this.#quiet !== null) this.#awaitQuiet();
    for (const key of this.#decoder.push(chunk)) this.#press(key);
    if (this.#decoder.isWaiting)
      this.#escape = setTimeout(() => {
        for (const key of this.#decoder.flush()) this.#press(key);
      }, ESCAPE_MS);
    this.#parts.output.screen.refreshNow();
  }

  #press(key: Key): void {
    if (this.#isMessage) this.#typedAt = performance.now();
    const isAlways = key.type === "key" && ALWAYS.has(key.name);
    if ((this.#hasEnded || this.#quiet !== null) && !isAlways) return;
    if (key.type !== "key") this.#editor.insert(plainText(key.text));
    else if (!this.#editor.press(key.name)) this.#actions[key.name]?.();
  }

  /** A backslash at the end of a line, and an open code block, continue the message. */
  #enter(): void {
    const { text, before } = this.#editor;
    if (this.#isMessage && before.endsWith("\\")) {
      this.#editor.press("backspace");
      this.#editor.insert("\n");
      return;
    }
    if (this.#isMessage && hasOpenFence(text)) {
      this.#editor.insert("\n");
      return;
    }
    const prompt = this.#prompt;
    this.#editor.set("");
    if (this.#isMessage && text.trim() !== "") this.#parts.history.add(text);
    if (text.trim() !== "" || !this.#isMessage) this.#parts.output.echo(prompt, text);
    if (this.#waiting !== null) this.#give(text);
    else if (!this.#parts.onEarly(text)) this.#kept.push(text);
  }

  /** Whether the person may be typing a message. This is not so between two fields of a form. */
  #isTyping(draft: string): boolean {
    const now = performance.now();
    if (this.#answeredAt >= this.#typedAt && now - this.#answeredAt < QUIET_MS) return false;
    return draft !== "" || now - this.#typedAt < QUIET_MS;
  }

  /** Ignores keys until no key was pressed for a while. */
  #awaitQuiet(): void {
    this.#endQuiet();
    this.#quiet = setTimeout(() => {
      this.#endQuiet();
      this.#parts.output.screen.refreshNow();
    }, QUIET_MS);
  }

  #endQuiet(): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#quiet = null;
  }

  get #isMessage(): boolean {
    return this.#prompt === MESSAGE_PROMPT;
  }

  #moveOrBrowse(by: -1 | 1): void {
    if (this.#editor.moveLine(by) || !this.#isMessage) return;
    const entry = this.#parts.history.browse(by, this.#editor.text);
    if (entry !== null) this.#editor.set(entry);
  }

  /** Inserts the common beginning of all options. Without such a beginning, shows the options. */
  #complete(): void {
    const { output, completion } = this.#parts;
    const { before, text } = this.#editor;
    if (!this.#isMessage) return;
    complete(before, completion)
      .then(({ start, options }) => {
        // The text has changed since the completions were requested, so they do not apply.
        if (this.#editor.text !== text || this.#editor.before !== before || options.length === 0) return;
        const common = commonStart(options);
        if (common.length > before.length - start) {
          this.#editor.remove(start);
          this.#editor.insert(common);
        } else if (options.length > 1)
          output.line(
            "dim",
            options
              .slice(0, MAX_OPTIONS)
              .map((each) => each.trim())
              .join("  "),
          );
        output.screen.refreshNow();
      })
      .catch((error: unknown) => output.line("red", error instanceof Error ? error.message : String(error)));
  }

  #end(): void {
    this.#hasEnded = true;
    this.#give(null);
  }

  #give(line: string | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#endQuiet();
    if (!this.#isMessage) this.#answeredAt = performance.now();
    this.#prompt = MESSAGE_PROMPT;
    if (this.#draft !== null) this.#editor.set(this.#draft.text, this.#draft.cursor);
    this.#draft = null;
    waiting?.(line);
  }
}
