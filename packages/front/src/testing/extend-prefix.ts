/**
 * The prefix law as a matcher: everything that was sent is sent again, unless a reset declares otherwise. A failed
 * expectation explains the cache miss that the difference would have caused.
 */
import {
  type CacheMiss,
  cacheMisses,
  type DeclaredReset,
  type MessageBlock,
  type RenderedView,
  type ResetCause,
  type SentRequest,
  sentRequestOf,
} from "@cairn/timeline";

/** A request, a view (only its stable part is compared), or a list of message blocks (all are compared). */
export type Prefixed = SentRequest | RenderedView | readonly MessageBlock[];

export interface PrefixOptions {
  /** Resets declared between the two requests, in addition to those that the later request declares itself. */
  readonly resets?: readonly (DeclaredReset | ResetCause)[];
}

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

export function toExtendPrefix(later: unknown, earlier: unknown, options: PrefixOptions = {}): MatcherResult {
  const [a, b] = [requestOf(earlier), requestOf(later)];
  if (a === null || b === null) {
    const which = a === null ? "the argument" : "the value";
    return fail(`toExtendPrefix compares requests, views or lists of message blocks; ${which} is none of them.`);
  }
  const misses = [...cacheMisses(a, withResets(b, options.resets ?? []))];
  const bug = misses.find(({ cause }) => cause === "undeclared");
  if (bug !== undefined) return fail(explain(bug));
  const declared = misses.map(({ cause }) => cause).join(", ");
  const allowance = declared === "" ? "" : `, apart from what was declared (${declared})`;
  return { pass: true, message: () => `Expected the request not to extend the earlier one, but it does${allowance}.` };
}

function fail(message: string): MatcherResult {
  return { pass: false, message: () => message };
}

function explain({ at, detail, before, after }: CacheMiss): string {
  const lines = [`Undeclared change of the prefix at ${placeOf(at)}: ${detail}`];
  if (before !== undefined) lines.push(`  before: ${JSON.stringify(before)}`);
  if (after !== undefined) lines.push(`  after:  ${JSON.stringify(after)}`);
  return lines.join("\n");
}

function placeOf({ part, index, name }: CacheMiss["at"]): string {
  if (part === "system") return "the system text";
  return part === "tools" ? `tool ${index} (${name ?? ""})` : `block ${index}`;
}

function withResets(request: SentRequest, resets: readonly (DeclaredReset | ResetCause)[]): SentRequest {
  if (resets.length === 0) return request;
  const declared = resets.map((reset) => (typeof reset === "string" ? { cause: reset } : reset));
  // The object is not spread: the request may be an instance of a class, and a spread would drop its methods.
  return {
    tools: request.tools,
    system: request.system,
    systemText: request.systemText,
    length: request.length,
    hashAt: (index) => request.hashAt(index),
    messageAt: (index) => request.messageAt?.(index),
    resets: [...request.resets, ...declared],
  };
}

function requestOf(value: unknown): SentRequest | null {
  if (Array.isArray(value)) return value.every(isMessage) ? sentRequestOf(value) : null;
  if (typeof value !== "object" || value === null) return null;
  if ("stableLength" in value) return sentRequestOf(value as RenderedView);
  return "hashAt" in value ? (value as SentRequest) : null;
}

function isMessage(value: unknown): value is MessageBlock {
  return typeof value === "object" && value !== null && "type" in value;
}
