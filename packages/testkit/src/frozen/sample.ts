/**
 * Chooses what a short run tests of a frozen set: each kind of conversation completely, and a sample of conversations
 * that repeat others. `npm run test:long` tests everything. Four kinds repeat: the recorded traces, which are long and
 * exist in three wire forms; one conversation that is parked after each of its batches; everything on the second back
 * end that does not depend on storage; and conversations that an earlier set has under the same name (`isKnown`).
 */
import type { ConversationKey } from "@cairn/store";
import { runs } from "../runs.ts";
import type { BackEndId } from "./frozen-set.ts";
import type { JournalFacts } from "./journal-facts.ts";

const isLong = runs > 1_000;
const SHARE = 10;
const ONE_TRACE = "trace-short-anthropic";
const WIRES = ["anthropic", "responses", "chat"];

/**
 * On PostgreSQL, reading a path is a query over the network, so only a share of the paths of every conversation is
 * read.
 */
export function triedPaths({ key, paths }: JournalFacts, backEnd: BackEndId, isKnown: boolean): string[] {
  const all = Object.keys(paths);
  if (isLong || (backEnd === "sqlite" && !isRepetitive(key) && !isKnown)) return all;
  return all.filter((_, at) => at % SHARE === 0 || at === all.length - 1);
}

export function triesVerify({ key }: JournalFacts, isKnown: boolean): boolean {
  return isLong || (!isKnown && (!isRepetitive(key) || key.conversation === ONE_TRACE));
}

/**
 * Every second request of a trace is rebuilt, each in one of its wire forms. Of a parked conversation, the last request
 * is rebuilt; on PostgreSQL, a share of the requests of every conversation, and the last request.
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
 * A fifth of the parked conversations is continued. On PostgreSQL, a tenth of them is continued. All other
 * conversations are continued on SQLite; on PostgreSQL, only those with open work. Of conversations that an earlier set
 * has, those on SQLite with running calls are continued, because their next request shows how the calls are sent.
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
