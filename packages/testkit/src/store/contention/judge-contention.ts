/** Lets processes contend for one conversation, and compares their answers with the stored events. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { expect } from "vitest";
import type { StoreRecipe } from "../crash/store-recipe.ts";
import { contend } from "./contend.ts";

export interface Contention {
  readonly recipe: StoreRecipe;
  readonly key: ConversationKey;
  /** One process is started for each entry. The entry is the error of the process's clock. */
  readonly clockOffsets: readonly number[];
  /** Number of updates that each contender makes. */
  readonly updates: number;
  /** An error that at least one contender must have received. */
  readonly expected: string;
}

const REFUSALS = ["lease_held", "lease_lost", "conflict", "busy"];
/** Length of a lease in milliseconds. */
const TTL_MS = 40;

export async function judgeContention(store: ConversationStore, contention: Contention): Promise<void> {
  const { recipe, key, clockOffsets, updates, expected } = contention;
  await store.createConversation(key);
  const recipes = clockOffsets.map((clockOffsetMs) => ({ ...recipe, clockOffsetMs }));
  const stop = new AbortController();
  const followed: number[] = [];
  const following = (async () => {
    for await (const { seq } of store.follow(key, { signal: stop.signal })) followed.push(seq);
  })();
  const reports = await contend(recipes, key, updates, TTL_MS);
  const events = await store.readEvents(key, { limit: 10_000 });
  // Waits, because the last events may not have reached the follower yet.
  await expect.poll(() => followed.length).toBe(events.length);
  stop.abort();
  await following;
  expect(followed, "a follower sees each event once and in order").toEqual(events.map((stored) => stored.seq));
  expect(events.map((stored) => stored.seq)).toEqual(events.map((_, index) => index + 1));

  const written = events.filter((stored) => stored.event.kind === "meta.set");
  const counters = written.map((stored) =>
    Number((stored.event.body as { conversation_title: string }).conversation_title),
  );
  expect(counters, "no update is lost or made twice").toEqual(counters.map((_, index) => index + 1));
  expect(counters).toHaveLength(clockOffsets.length * updates);
  const ascending = (seqs: readonly number[]) => [...seqs].sort((a, b) => a - b);
  expect(ascending(reports.flatMap((report) => report.updates))).toEqual(written.map((stored) => stored.seq));

  const inputs = events.filter((stored) => stored.event.kind === "cancel.requested").map((stored) => stored.seq);
  expect(ascending(reports.flatMap((report) => report.inputs))).toEqual(inputs);
  for (const report of reports) expect(report.inputs.length, "inputs of each land").toBeGreaterThan(0);

  const refusals = [...new Set(reports.flatMap((report) => Object.keys(report.refusals)))];
  expect(refusals.filter((code) => !REFUSALS.includes(code))).toEqual([]);
  expect(refusals).toContain(expected);
  expect(await store.verifyConversation(key)).toEqual([]);
}
