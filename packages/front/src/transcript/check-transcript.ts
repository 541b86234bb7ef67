/** Limits for messages that callers of the server import. */
import type { Transcript } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";

export interface TranscriptLimits {
  /** Characters of a text by a user or a model. Calls and results are limited by the lines of the journal. */
  readonly textChars: number;
  /** Maximum number of files of one message. */
  readonly attachments: number;
  /** Maximum number of files of the whole conversation. */
  readonly files: number;
}

/** Throws `too_large` if something exceeds a limit. */
export function checkTranscript({ turns }: Transcript, limits: TranscriptLimits): void {
  let files = 0;
  for (const [at, { prompts, steps }] of turns.entries()) {
    for (const { text, files: attached } of prompts) {
      checkText(text, at, limits);
      if (attached.length > limits.attachments)
        throw tooLarge(`A message in turn ${at + 1} has more than ${limits.attachments} attachments.`);
      files += attached.length;
    }
    for (const { text, thoughts, calls } of steps) {
      checkText(text, at, limits);
      checkText(thoughts, at, limits);
      for (const { result } of calls) files += result?.files.length ?? 0;
    }
  }
  if (files > limits.files) throw tooLarge(`The messages have ${files} files; at most ${limits.files} are accepted.`);
}

function checkText(text: string, turn: number, { textChars }: TranscriptLimits): void {
  if (text.length > textChars) throw tooLarge(`A text in turn ${turn + 1} is longer than ${textChars} characters.`);
}

function tooLarge(reason: string): CairnError {
  return new CairnError("too_large", `${reason} Import the messages with \`cairn import\` instead.`);
}
