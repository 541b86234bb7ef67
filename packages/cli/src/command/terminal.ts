/** The streams of a command: the streams of the process, or streams of a test. */
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters, styleText } from "node:util";
import type { Scope } from "@cairn/store";

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** The stream for progress and problems, which are not part of a command's output. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The scope from `--scope`, which every command accepts (default: the local scope). */
  readonly scope?: Scope;
}

export type Style = "bold" | "dim" | "italic" | "underline" | "strikethrough" | "red" | "green" | "yellow" | "cyan";

/** Styles text in a terminal. Text is plain in files, in pipes and with `NO_COLOR`. */
export function paint(stream: Writable & { readonly isTTY?: boolean }, style: Style, text: string): string {
  return styleText(style, text, { stream, validateStream: true });
}

/** Shows untrusted text, such as a title, on one line without terminal control codes. */
export function plainLine(text: string): string {
  return withoutDirections(stripVTControlCharacters(text))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
}

/** Shows untrusted text of several lines, without codes that move the cursor, change the title or ring the bell. */
export function plainText(text: string): string {
  return withoutDirections(stripVTControlCharacters(text)).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

/** Removes marks that change the text direction: `report\u202efdp.exe` would be shown as `reportexe.pdf`. */
function withoutDirections(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

export function writeJson(stream: Writable, value: unknown): void {
  stream.write(`${JSON.stringify(value)}\n`);
}
