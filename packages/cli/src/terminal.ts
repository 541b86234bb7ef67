/** Where a command reads and writes: the process's own streams, or a test's. */
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters, styleText } from "node:util";
import type { Scope } from "@cairn/store";

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** Progress and problems: never part of what a command gives. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whose conversations are meant: `--scope`, which every command takes. Those of this machine without it. */
  readonly scope?: Scope;
}

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Styled where a person looks at it, plain in files, in pipes and under `NO_COLOR`. */
export function paint(stream: Writable & { readonly isTTY?: boolean }, style: Style, text: string): string {
  return styleText(style, text, { stream, validateStream: true });
}

/** Text of others, such as a title: one line, without the codes that move a cursor. */
export function plainLine(text: string): string {
  return withoutDirections(stripVTControlCharacters(text))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
}

/** Text of others that may have lines: without the codes that move a cursor, change a title or ring a bell. */
export function plainText(text: string): string {
  return withoutDirections(stripVTControlCharacters(text)).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

/** Marks that turn the direction of what follows: `report\u202efdp.exe` would be shown as `reportexe.pdf`. */
function withoutDirections(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

export function writeJson(stream: Writable, value: unknown): void {
  stream.write(`${JSON.stringify(value)}\n`);
}
