/** The text that a person edits, and the cursor in it. Movements are by visible characters, words and lines. */
import { graphemesOf } from "../draw/style.ts";

export class Editor {
  #text = "";
  /** Position of the cursor in UTF-16 units, always between two visible characters. */
  #cursor = 0;
  /** The text that was cut last. */
  #cut = "";

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  set(text: string, cursor = text.length): void {
    this.#text = text;
    this.#cursor = cursor;
  }

  insert(text: string): void {
    this.#replace(this.#cursor, this.#cursor, text);
  }

  /** Performs an editing key. Returns false for any other key. */
  press(name: string): boolean {
    const edit = EDITS[name];
    if (edit === undefined) return false;
    edit(this);
    return true;
  }

  move(to: number): void {
    this.#cursor = Math.max(0, Math.min(this.#text.length, to));
  }

  /** Removes the text between the cursor and `to`. */
  remove(to: number): void {
    this.#replace(Math.min(to, this.#cursor), Math.max(to, this.#cursor), "");
  }

  /** Like `remove`, but keeps the removed text, which Ctrl-Y inserts again. */
  cut(to: number): void {
    this.#cut = this.#text.slice(Math.min(to, this.#cursor), Math.max(to, this.#cursor)) || this.#cut;
    this.remove(to);
  }

  paste(): void {
    this.insert(this.#cut);
  }

  get before(): string {
    return this.#text.slice(0, this.#cursor);
  }

  get after(): string {
    return this.#text.slice(this.#cursor);
  }

  get left(): number {
    return this.#cursor - (graphemesOf(this.before).at(-1)?.length ?? 0);
  }

  get right(): number {
    return this.#cursor + (graphemesOf(this.after)[0]?.length ?? 0);
  }

  get wordLeft(): number {
    return this.#cursor - (/[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(this.before)?.[0].length ?? 0);
  }

  get wordRight(): number {
    return this.#cursor + (/^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(this.after)?.[0].length ?? 0);
  }

  /** The start of the word before the cursor. Only spaces separate words. */
  get spacedWordLeft(): number {
    return this.#cursor - (/\S*\s*$/u.exec(this.before)?.[0].length ?? 0);
  }

  get lineStart(): number {
    return this.before.lastIndexOf("\n") + 1;
  }

  get lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#cursor);
    return end < 0 ? this.#text.length : end;
  }

  /** Moves to the line above (-1) or below (1). Returns false when there is none. */
  moveLine(by: -1 | 1): boolean {
    const column = graphemesOf(this.#text.slice(this.lineStart, this.#cursor)).length;
    const to = by < 0 ? this.lineStart - 1 : this.lineEnd + 1;
    if (to < 0 || to > this.#text.length) return false;
    this.#cursor = to;
    this.#cursor = this.lineStart;
    const line = graphemesOf(this.#text.slice(this.lineStart, this.lineEnd));
    this.#cursor += line.slice(0, column).join("").length;
    return true;
  }

  #replace(start: number, end: number, text: string): void {
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#cursor = start + text.length;
  }
}

const EDITS: Readonly<Record<string, (editor: Editor) => void>> = {
  newline: (editor) => editor.insert("\n"),
  left: (editor) => editor.move(editor.left),
  "ctrl-b": (editor) => editor.move(editor.left),
  right: (editor) => editor.move(editor.right),
  "ctrl-f": (editor) => editor.move(editor.right),
  "word-left": (editor) => editor.move(editor.wordLeft),
  "word-right": (editor) => editor.move(editor.wordRight),
  home: (editor) => editor.move(editor.lineStart),
  "ctrl-a": (editor) => editor.move(editor.lineStart),
  end: (editor) => editor.move(editor.lineEnd),
  "ctrl-e": (editor) => editor.move(editor.lineEnd),
  backspace: (editor) => editor.remove(editor.left),
  delete: (editor) => editor.remove(editor.right),
  "ctrl-w": (editor) => editor.cut(editor.spacedWordLeft),
  "delete-word-left": (editor) => editor.cut(editor.wordLeft),
  "delete-word": (editor) => editor.cut(editor.wordRight),
  // At the end of a line, the line break itself is removed.
  "ctrl-k": (editor) => editor.cut(editor.after.startsWith("\n") ? editor.cursor + 1 : editor.lineEnd),
  "ctrl-u": (editor) => editor.cut(editor.lineStart),
  "ctrl-y": (editor) => editor.paste(),
};
