/**
 * One of several processes that all want to write to one conversation. Each update reads the last value of the counter
 * and writes the next number, so that a lost update or a second writer shows as a missing or repeated number. Sometimes
 * the process waits longer than its lease, so that others take over while it believes that it holds the lease.
 */
import "../crash/end-with-parent.ts";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConversationKey } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { openByRecipe, type StoreRecipe } from "../crash/store-recipe.ts";

export interface ContenderOrder {
  readonly recipe: StoreRecipe;
  readonly key: ConversationKey;
  readonly name: string;
  readonly updates: number;
  readonly ttlMs: number;
}

export interface ContenderReport {
  readonly name: string;
  /** Seqs of the updates and of the inputs that were acknowledged. */
  readonly updates: readonly number[];
  readonly inputs: readonly number[];
  /** Number of times that each error occurred. */
  readonly refusals: Readonly<Record<string, number>>;
}

const order: ContenderOrder = JSON.parse(process.argv[2] ?? "{}");
const { key, name, ttlMs } = order;
const store = await openByRecipe(order.recipe);
const updates: number[] = [];
const inputs: number[] = [];
const refusals: Record<string, number> = {};

writeSync(1, "ready\n");
await new Promise((go) => process.stdin.once("data", go));

while (updates.length < order.updates) {
  const nth = inputs.length;
  const input = makeEvent("cancel.requested", { key: `${name} ${nth}`, ts: "2026-02-09T00:00:00Z" });
  const sent = await refused(() => store.append(key, [input]));
  if (sent !== null) inputs.push(...sent.seqs);
  await refused(writeUnderLease);
}
const report: ContenderReport = { name, updates, inputs, refusals };
writeSync(1, `${JSON.stringify(report)}\n`);
await store.close();
process.exit(0);

async function writeUnderLease(): Promise<void> {
  const { token } = await store.acquireLease(key, name, ttlMs);
  let { state, timelineSeq } = await store.load(key);
  for (let n = 0; n < 3 && updates.length < order.updates; n++) {
    const counter = Number(state.meta.conversation_title ?? 0) + 1;
    if (Math.random() < 0.2) await sleep(ttlMs * 2);
    const event = makeEvent("meta.set", { conversation_title: String(counter), by: name });
    const appended = await store.append(key, [event], { lease: { token, expectedSeq: timelineSeq } });
    updates.push(...appended.seqs);
    ({ state, timelineSeq } = await store.load(key));
  }
  // Some leases are left to expire, as after a crash.
  if (Math.random() < 0.5) await store.releaseLease(key, token);
}

/**
 * Returns the result of the call, or null if the call was refused with one of the expected codes. Any other error ends
 * the process and fails the test.
 */
async function refused<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    refusals[error.code] = (refusals[error.code] ?? 0) + 1;
    await sleep(Math.random() * 4);
    return null;
  }
}
