/**
 * The permanent instructions of people to the agent. Such sentences survive every compaction word for word.
 *
 * Permanent and temporary instructions cannot be distinguished with certainty, so doubtful sentences are kept too, and
 * rank after those that are certain. A message marked `meta.directive: true` is a directive as a whole. Only people's
 * messages and the agent's own notes about what people want give directives: results, pages, files and answers never
 * do.
 */
import { isJsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { addressedSentences, isLongMessage } from "./addressed-text.ts";
import { MAX_CHARS, orderClauses } from "./long-sentence.ts";
import { blankQuotations } from "./quotation.ts";
import { type Strength, strengthOf } from "./strength.ts";

export interface Directive {
  /** Path of the message or note that contains the directive. */
  readonly path: string;
  /** Empty for a note that only closes earlier orders. */
  readonly text: string;
  /** Whether the whole block was marked as a directive. */
  readonly marked?: boolean;
  /** When the directive was given, ISO 8601 UTC; absent if not recorded. */
  readonly ts?: string;
  /** The subject of the directive, if a note states one. */
  readonly kind?: string;
  /** `agent` if the agent wrote the directive in a note; absent if a person wrote it. */
  readonly by?: "agent";
  /** The earlier directives that this directive ends. */
  readonly closes?: readonly DirectiveName[];
}

/** Names the directive that is closed, by its path, or by its words if several have the same path. */
export interface DirectiveName {
  readonly path: string;
  readonly text: string;
}

/** The directives of a person's message as they were written; of a very long sentence, only the clauses that order. */
export function messageDirectives(block: Block, path: string): Directive[] {
  const text = block.text ?? "";
  if (block.meta?.directive === true) return markedDirective(block, path);
  // In a long message, a rule for somebody else is part of pasted text.
  const dropped: readonly Strength[] = isLongMessage(text) ? ["none", "clause"] : ["none"];
  return addressedSentences(text)
    .flatMap((sentence) => {
      if (sentence.text.length > MAX_CHARS) return orderClauses(sentence, isStandingText);
      return dropped.includes(strengthOf(sentence.spoken)) ? [] : [sentence.text];
    })
    .map((order) => ({ path, text: order, ...saidAt(block) }));
}

export function noteDirectives(block: Block, path: string): Directive[] {
  if (block.meta?.directive !== true) return [];
  const marked = markedDirective(block, path);
  return block.author === "user" ? marked : marked.map((directive) => ({ ...directive, by: "agent" }));
}

function isStandingText(spoken: string): boolean {
  return RANKS[strengthOf(blankQuotations(spoken))] < 2;
}

function markedDirective(block: Block, path: string): Directive[] {
  const { meta, text = "" } = block;
  const closes = (Array.isArray(meta?.closes) ? meta.closes : []).filter(isName);
  // The text of a note also names what it closes; the order itself is in its meta.
  const order = (typeof meta?.order === "string" ? meta.order : text).trim();
  if (order === "" && closes.length === 0) return [];
  const kind = typeof meta?.kind === "string" ? { kind: meta.kind } : {};
  const said = saidAt(block);
  return [{ path, text: order, marked: true, ...said, ...kind, ...(closes.length === 0 ? {} : { closes }) }];
}

/** A note that copies an order from another conversation records when the order was given. */
function saidAt({ meta, ts }: Pick<Block, "meta" | "ts">): { readonly ts?: string } {
  const at = typeof meta?.said_at === "string" ? meta.said_at : ts;
  return at === undefined ? {} : { ts: at };
}

function isName(value: unknown): value is { path: string; text: string } {
  return isJsonObject(value) && typeof value.path === "string" && typeof value.text === "string";
}

/** Whether the directive is certainly permanent, according to its words. */
export function isStanding(directive: Directive): boolean {
  return rankOf(directive) < 2;
}

/** Quoted text in a sentence says nothing about the sentence. */
function rankOf({ marked, text }: Directive): number {
  return marked === true ? 0 : RANKS[strengthOf(blankQuotations(text))];
}

const RANKS: Readonly<Record<Strength, number>> = { order: 0, reminder: 1, possible: 2, clause: 2, none: 2 };

/** Number of directives from each end of one message that rank before all directives from its middle. */
const OUTERMOST = 2;

/**
 * Sorts directives by importance: orders, reminders, those from the middle of a message that has many, then possible
 * ones; the newest of each first. So one long message cannot push out the orders of all others. The directives are
 * given oldest first.
 */
export function rankDirectives(directives: readonly Directive[]): Directive[] {
  const ranks = new Map(directives.map((each) => [each, rankOf(each)]));
  const standing = directives.filter((each) => (ranks.get(each) ?? 2) < 2);
  for (const own of Map.groupBy(standing, ({ path }) => path).values())
    for (const each of own.slice(OUTERMOST, -OUTERMOST)) ranks.set(each, MIDDLE);
  return directives.toReversed().sort((a, b) => (ranks.get(a) ?? 2) - (ranks.get(b) ?? 2));
}

/** Notes rank after reminders and before sentences that are only possible directives. */
const MIDDLE = 1.5;
