/**
 * What a short run tries of a frozen set: everything once, and a sample where conversations repeat each other.
 * `npm run test:long` tries everything.
 *
 * Four kinds repeat: the recorded traces, which are long and exist in three wire forms; one conversation that is parked
 * after each of its batches; everything on the second back end that does not depend on what is stored; and conversations
 * that an earlier set has under the same name (`isKnown`).
 */
import type { ConversationKey } from "@cairn/store";
import { runs } from "../runs.ts";
import type { BackEndId } from "./frozen-set.ts";
import type { JournalFacts } from "./journal-facts.ts";

const isLong = runs > 1_000;
const SHARE = 10;
const ONE_TRACE = "trace-short-anthropic";
const WIRES = ["anthropic", "responses", "chat"];

/** On PostgreSQL, where each path is a question over the line, a share of every conversation. */
export function triedPaths({ key, paths }: JournalFacts, backEnd: BackEndId, isKnown: boolean): string[] {
  const all = Object.keys(paths);
  if (isLong || (backEnd === "sqlite" && !isRepetitive(key) && !isKnown)) return all;
  return all.filter((_, at) => at % SHARE === 0 || at === all.length - 1);
}

export function triesVerify({ key }: JournalFacts, isKnown: boolean): boolean {
  return isLong || (!isKnown && (!isRepetitive(key) || key.conversation === ONE_TRACE));
}

/**
 * Every other request of a trace is tried, each in one of its wire forms. Of a parked conversation the last request is; on
 * PostgreSQL, of every conversation a share and the last.
 */
export function triesRequest(
  { key, requests }: JournalFacts,
  n: number,
  backEnd: BackEndId,
  isKnown: boolean,
): boolean {
  if (isLong) return true;
  if (isKnown || isParkedAnywhere(key)) return n === requests.length;
  if (backEnd === "postgres") return n % SHARE === 0 || n === requests.length;
  if (!isRepetitive(key)) return true;
  const wire = WIRES.findIndex((name) => key.conversation.endsWith(`-${name}`));
  return n === requests.length || n % (2 * WIRES.length) === 2 * wire;
}

/**
 * A fifth of those that are parked. On PostgreSQL a tenth of them, and others that have something to go on with. Of those
 * that an earlier set has, those on SQLite whose calls are under way, because the next request shows how they are sent.
 */
export function triesResume({ key, info }: JournalFacts, backEnd: BackEndId, isKnown: boolean): boolean {
  if (isLong) return true;
  if (isKnown)
    return backEnd === "sqlite" && info.open_turn !== null && /started|settled|not-run/.test(key.conversation);
  if (isTrace(key)) return key.conversation === ONE_TRACE;
  if (isParkedAnywhere(key)) return (backEnd === "sqlite" ? /[05]$/ : /0$/).test(key.conversation);
  if (backEnd === "sqlite") return true;
  return info.open_turn !== null || /waiting|forked|imported/.test(key.conversation);
}

function isRepetitive(key: ConversationKey): boolean {
  return isTrace(key) || isParkedAnywhere(key);
}

function isTrace({ conversation }: ConversationKey): boolean {
  return conversation.startsWith("trace-");
}

function isParkedAnywhere({ conversation }: ConversationKey): boolean {
  return conversation.startsWith("parked-after-batch-");
}
