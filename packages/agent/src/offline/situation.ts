/** The input of a decision of the offline model: the parsed timeline, and the tools that it may call now. */
import type { JsonObject } from "@cairn/timeline";
import type { DocumentReading } from "../reader/read-document.ts";
import { type Passage, passagesOf } from "./passages.ts";
import type { ReadTimeline, ReadTurn, ToolCall } from "./read-view.ts";
import { Unread } from "./unread.ts";
import { IN_SHORT } from "./wording.ts";

export interface OfflineCall {
  readonly name: string;
  readonly params: JsonObject;
}

export interface OfflineDecision {
  readonly text: string;
  readonly calls: readonly OfflineCall[];
}

export interface OfflineInput {
  readonly timeline: ReadTimeline;
  /** The text that was read of each PDF in view, by logical path. */
  readonly documents: ReadonlyMap<string, DocumentReading>;
  /** Tools that may be called now. */
  readonly offered: ReadonlySet<string>;
}

/** After this many calls in one turn it answers. */
const MOST_CALLS = 16;
const MOST_VIOLATIONS = 3;
const MOST_PATHS = 10;

export class Situation {
  readonly timeline: ReadTimeline;
  readonly turn: ReadTurn;
  readonly passages: readonly Passage[];
  readonly unread: Unread;
  readonly offered: ReadonlySet<string>;

  constructor({ timeline, documents, offered }: OfflineInput, turn: ReadTurn) {
    const spent =
      timeline.isLastDecision || turn.calls.length >= MOST_CALLS || turn.violations.length >= MOST_VIOLATIONS;
    this.timeline = timeline;
    this.turn = turn;
    this.offered = spent ? new Set() : offered;
    const texts = new Map([...documents].flatMap(([path, read]) => ("text" in read ? [[path, read.text]] : [])));
    const failed = [...documents].flatMap(([path, read]) => ("text" in read ? [] : [[path, read.unreadable] as const]));
    this.passages = passagesOf(timeline, texts);
    this.unread = new Unread(timeline, turn, texts, new Map([...failed, ...turn.unreadable]));
  }

  /** The user's messages in this turn. */
  get said(): string {
    return this.turn.prompts.join("\n");
  }

  callOf(tool: string): ToolCall | undefined {
    return this.turn.calls.findLast((call) => call.tool === tool);
  }

  /** Why a call failed; undefined when it did not. */
  failureOf({ id }: ToolCall): string | undefined {
    return this.turn.failures.get(id);
  }

  reading(paths: readonly string[]): OfflineCall[] {
    if (!this.offered.has("react.read") || paths.length === 0) return [];
    return [{ name: "react.read", params: { paths: [...new Set(paths)].slice(0, MOST_PATHS) } }];
  }

  /** The first answer of a conversation introduces the model. */
  introduced(text: string, introduction = IN_SHORT): string {
    return this.timeline.turns.some(({ answer: said }) => said !== null) ? text : `${text}\n\n${introduction}`;
  }
}

export function answer(text: string): OfflineDecision {
  return { text, calls: [] };
}
