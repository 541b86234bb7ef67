/**
 * What a short run tries of a frozen set: everything once, and a sample where conversations repeat each other.
 * `npm run test:long` tries everything.
 *
 * Three kinds repeat: the recorded traces, which are long and exist in three wire forms; one conversation that is parked
 * after each of its batches; and everything on the second back end that does not depend on what is stored.
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
export function triedPaths({ key, paths }: JournalFacts, backEnd: BackEndId): string[] {
  const all = Object.keys(paths);
  if (isLong || (backEnd === "sqlite" && !isRepetitive(key))) return all;
  return all.filter((_, at) => at % SHARE === 0 || at === all.length - 1);
}

export function triesVerify({ key }: JournalFacts): boolean {
  return isLong || !isRepetitive(key) || key.conversation === ONE_TRACE;
}

/**
 * Every other request of a trace is tried, each in one of its wire forms. Of a parked conversation the last request is; on
 * PostgreSQL, of every conversation a share and the last.
 */
export function triesRequest({ key, requests }: JournalFacts, n: number, backEnd: BackEndId): boolean {
  if (isLong) return true;
  if (isParkedAnywhere(key)) return n === requests.length;
  if (backEnd === "postgres") return n % SHARE === 0 || n === requests.length;
  if (!isRepetitive(key)) return true;
  const wire = WIRES.findIndex((name) => key.conversation.endsWith(`-${name}`));
  return n === requests.length || n % (2 * WIRES.length) === 2 * wire;
}

/** A fifth of those that are parked. On PostgreSQL a tenth of them, and others that have something to go on with. */
export function triesResume({ key, info }: JournalFacts, backEnd: BackEndId): boolean {
  if (isLong) return true;
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
