/** A conversation of another system, in the form in which Cairn imports it. */
import type { Json, JsonObject } from "@cairn/timeline";

export interface Transcript {
  readonly turns: readonly TranscriptTurn[];
}

export interface TranscriptTurn {
  /** The user's messages of a turn. The first one opens the turn; the others arrived before the first answer. */
  readonly prompts: readonly TranscriptPrompt[];
  readonly steps: readonly TranscriptStep[];
}

export interface TranscriptPrompt {
  readonly text: string;
  readonly files: readonly TranscriptFile[];
}

/** One decision of the model: its thoughts, its words, then its calls. */
export interface TranscriptStep {
  readonly thoughts: string;
  readonly text: string;
  readonly calls: readonly TranscriptCall[];
}

export interface TranscriptCall {
  readonly name: string;
  readonly input: JsonObject;
  /** The result of the call; null if the conversation has none. */
  readonly result: TranscriptResult | null;
}

export interface TranscriptResult {
  readonly output: Json;
  readonly isError: boolean;
  readonly files: readonly TranscriptFile[];
}

export interface TranscriptFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}
