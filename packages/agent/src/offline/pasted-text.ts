/** A message that contains a longer text and what to do with it, such as `Summarise this: …` or a question and a log. */
import { GIST } from "./intent-forms.ts";
import { pastedProgram } from "./pasted-program.ts";
import type { PastedText } from "./situation.ts";

/** Minimum lines of a pasted text after a request. */
const MIN_LINES = 4;
/** Minimum lines of a pasted text without a request. */
const MIN_LINES_ALONE = 12;
/** Minimum length of a text that follows the request on the same line. */
const MIN_LENGTH = 60;
const MAX_REQUEST = 300;
const FENCES = /^```.*$/gm;
/** Two sentences of prose are a part of the text. */
const SENTENCES = /[.!]\s+\p{Lu}/u;
/** The request and the text on one line. */
const ONE_LINE = /^([^\n:]{3,80}):\s+(\S[\s\S]*)$/;

/** The text that the user pasted; null if the message has no longer text, or if the text is a program to run. */
export function pastedText(message: string): PastedText | null {
  const said = message.trim();
  if (pastedProgram(said) !== null) return null;
  const lines = said.split(/\r\n?|\n/);
  const [first = "", last = ""] = [lines[0], lines.at(-1)];
  const isRequest = (line: string) => line.length <= MAX_REQUEST && /[?:]\s*$/.test(line);
  const split = (request: string, rest: readonly string[]) => ({ request, text: rest.join("\n").replace(FENCES, "") });
  const count = lines.filter((line) => line.trim() !== "").length;
  if (count >= MIN_LINES && isRequest(first)) return split(first, lines.slice(1));
  if (count >= MIN_LINES && isRequest(last)) return split(last, lines.slice(0, -1));
  if (count >= MIN_LINES_ALONE)
    return lines[1]?.trim() === "" && first.length <= MAX_REQUEST && !SENTENCES.test(first)
      ? split(first, lines.slice(1))
      : split("", lines);
  const [, request, text = ""] = ONE_LINE.exec(said) ?? [];
  return request !== undefined && GIST.test(request) && text.length >= MIN_LENGTH ? { request, text } : null;
}
