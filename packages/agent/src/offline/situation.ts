/** The input of a decision of the offline model: the parsed timeline, and the tools that it may call now. */
import type { JsonObject } from "@cairn/timeline";
import type { DocumentReading } from "../reader/read-document.ts";
import { statementsOf, withoutForgotten } from "./forgotten.ts";
import { type Passage, passagesOf, rowsApart } from "./passages.ts";
import { PHRASES } from "./phrases/by-language.ts";
import { languageOf } from "./phrases/language.ts";
import type { Phrases } from "./phrases/phrases.ts";
import type { ReadTimeline, ReadTurn, ToolCall } from "./read-view.ts";
import type { Listing, SearchPlace } from "./search-place.ts";
import { Unread } from "./unread.ts";

export interface OfflineCall {
  readonly name: string;
  readonly params: JsonObject;
}

export interface OfflineDecision {
  readonly text: string;
  readonly calls: readonly OfflineCall[];
}

/** A message with a longer text that the user pasted. */
export interface PastedText {
  /** The message without the pasted text; empty if nothing else is in it. */
  readonly request: string;
  readonly text: string;
}

export interface OfflineInput {
  readonly timeline: ReadTimeline;
  /** The text that was read of each PDF in view, by logical path. */
  readonly documents: ReadonlyMap<string, DocumentReading>;
  /** Tools that may be called now. */
  readonly offered: ReadonlySet<string>;
  /** Where `web_tools.web_search` searches; null if that is unknown. */
  readonly place: SearchPlace | null;
  /** The titles of the documents in that place; null if the message asks for no titles, or the place lists none. */
  readonly listing: Listing | null;
  /** The pasted text in this message and the request about it; null for a message without a pasted text. */
  readonly pasted?: PastedText | null;
}

/** Maximum number of calls in one turn; then the model answers. */
const MAX_CALLS = 16;
const MAX_VIOLATIONS = 3;
const MAX_PATHS = 10;
/** Passages that may repeat what the user asked to forget. */
const NOTE_FILE = "note.md";
const MEMORY: ReadonlySet<Passage["kind"]> = new Set(["note", "said", "earlier"]);

export class Situation {
  readonly timeline: ReadTimeline;
  readonly turn: ReadTurn;
  readonly passages: readonly Passage[];
  readonly unread: Unread;
  readonly offered: ReadonlySet<string>;
  readonly place: SearchPlace | null;
  readonly listing: Listing | null;
  readonly pasted: PastedText | null;
  /** The offline model's sentences, in the language of this message. */
  readonly phrases: Phrases;

  constructor({ timeline, documents, offered, place, listing, pasted = null }: OfflineInput, turn: ReadTurn) {
    const spent = timeline.isLastDecision || turn.calls.length >= MAX_CALLS || turn.violations.length >= MAX_VIOLATIONS;
    this.timeline = timeline;
    this.place = place;
    this.listing = listing;
    this.pasted = pasted;
    this.phrases = PHRASES[languageOf(turn.prompts.at(-1) ?? "")];
    this.turn = turn;
    this.offered = spent ? new Set() : offered;
    const texts = new Map([...documents].flatMap(([path, read]) => ("text" in read ? [[path, read.text]] : [])));
    const failed = [...documents].flatMap(([path, read]) => ("text" in read ? [] : [[path, read.unreadable] as const]));
    const own: Passage[] =
      pasted === null
        ? []
        : [{ kind: "file", name: this.phrases.yourMessage, sid: null, part: null, text: rowsApart(pasted.text) }];
    const statements = statementsOf(timeline);
    const known = (passage: Passage): Passage[] => {
      const isOfUser = MEMORY.has(passage.kind) || passage.name === NOTE_FILE;
      const text = isOfUser ? withoutForgotten(passage.text, statements) : passage.text;
      return text === "" ? [] : [{ ...passage, text }];
    };
    this.passages = [...own, ...passagesOf(timeline, texts).flatMap(known)];
    this.unread = new Unread(timeline, turn, texts, new Map([...failed, ...turn.unreadable]));
  }

  /** The user's messages in this turn, without the pasted text. */
  get said(): string {
    return [...this.turn.prompts.slice(0, -1), this.pasted?.request ?? this.turn.prompts.at(-1) ?? ""].join("\n");
  }

  callOf(tool: string): ToolCall | undefined {
    return this.turn.calls.findLast((call) => call.tool === tool);
  }

  /** The reason why a call failed; undefined when it did not fail. */
  failureOf({ id }: ToolCall): string | undefined {
    return this.turn.failures.get(id);
  }

  reading(paths: readonly string[]): OfflineCall[] {
    if (!this.offered.has("react.read") || paths.length === 0) return [];
    return [{ name: "react.read", params: { paths: [...new Set(paths)].slice(0, MAX_PATHS) } }];
  }

  /** The first answer of a conversation introduces the model. */
  introduced(text: string, introduction = this.phrases.inShort): string {
    return this.timeline.turns.some(({ answer: said }) => said !== null) ? text : `${text}\n\n${introduction}`;
  }
}

export function answer(text: string): OfflineDecision {
  return { text, calls: [] };
}
