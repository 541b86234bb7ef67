/**
 * The child that is killed. The child takes the conversation over from the previous child and appends until it is
 * killed, batches of several events with and without blobs, and acknowledges each on its standard output only after the
 * call has returned. In between, the child copies and deletes conversations, so that longer operations are interrupted,
 * too.
 */
import "./end-with-parent.ts";
import { writeSync } from "node:fs";
import type { ConversationKey } from "@cairn/store";
import { CairnError, makeEvent, type TimelineEvent } from "@cairn/timeline";
import { openByRecipe, type StoreRecipe } from "./store-recipe.ts";

export interface CrashOrder {
  readonly recipe: StoreRecipe;
  readonly key: ConversationKey;
  readonly life: number;
  /** Stops after this many batches; by default never. */
  readonly batches?: number;
}

export interface Acknowledged {
  /** `<number of the child>.<number of the batch>`, which every event of the batch contains. */
  readonly batch: string;
  readonly seqs: readonly number[];
  readonly blob: `sha256:${string}` | null;
}

const order: CrashOrder = JSON.parse(process.argv[2] ?? "{}");
const { key, life, recipe, batches = Number.POSITIVE_INFINITY } = order;
const say = (line: string) => writeSync(1, `${line}\n`);

const store = await openByRecipe(recipe);
await makeBranch();
const { token } = await takeLease();
const { state, timelineSeq } = await store.load(key);
let position = state.nextPosition;
let expectedSeq = timelineSeq;
say("ready");

for (let nth = 0; nth < batches; nth++) {
  const batch = `${life}.${nth}`;
  const bytes = new TextEncoder().encode(batch.repeat(1 + ((nth * 397) % 3_000)));
  const blob = nth % 3 === 0 ? (await store.putBlob(key, [bytes])).ref : null;
  const size = 1 + ((nth * 7 + life) % 6);
  const events: TimelineEvent[] = Array.from({ length: size }, (_, index) => {
    const meta = { batch, index, size, ...(blob !== null && index === 0 ? { blob } : {}) };
    const block = {
      type: "user.prompt",
      turn_id: `turn_${life}`,
      text: `word${life} ${"x".repeat((nth * 131) % 2_000)}`,
      meta,
    };
    return makeEvent("block.appended", { position: position + index, block, tokens: 1, version: 0 });
  });
  const input = makeEvent("cancel.requested", { key: batch, ts: "2026-02-09T00:00:00Z", batch, size });
  const appended = await store.append(key, [...events, input], { lease: { token, expectedSeq } });
  say(`ack ${JSON.stringify({ batch, seqs: appended.seqs, blob } satisfies Acknowledged)}`);
  expectedSeq = appended.lastTimelineSeq;
  position += size;
  if (nth % 5 === 4) await cutShort(appended.lastSeq);
}
await store.close();
process.exit(0);

/** Makes a branch of a conversation with a single event, which is then deleted: every read needs the events of both. */
async function makeBranch(): Promise<void> {
  const trunk = { ...key, conversation: `${key.conversation} trunk` };
  if ((await store.getConversation(key).catch(ignore("not_found"))) === undefined) {
    const events = [makeEvent("meta.set", { conversation_title: "trunk" })];
    await store.createConversation(trunk, { events }).catch(ignore("conversation_exists"));
    await store.branch(trunk, 1, key.conversation);
  }
  await store.deleteConversation(trunk).catch(ignore("not_found"));
}

/**
 * Makes a copy, by fork or by export and import, or a branch that replaces the previous one, which an earlier child may
 * have made.
 */
async function cutShort(at: number): Promise<void> {
  const fork = { ...key, conversation: `${key.conversation} fork` };
  const copy = { ...key, conversation: `${key.conversation} copy` };
  const branch = { ...key, conversation: `${key.conversation} branch` };
  const next = [fork, copy, branch][life % 3] ?? fork;
  await store.deleteConversation(next).catch(ignore("not_found"));
  if (next === branch) await store.branch(key, at, branch.conversation).catch(ignore("conversation_exists"));
  else if (next === fork) await store.fork(key, at, fork.conversation).catch(ignore("conversation_exists"));
  else await store.importConversation(copy, store.exportConversation(key)).catch(ignore("conversation_exists"));
}

/** Takes the lease, after waiting for that of a killed process to expire. */
async function takeLease() {
  for (;;) {
    try {
      return await store.acquireLease(key, `life ${life}`, 5);
    } catch (error) {
      ignore("lease_held")(error);
      await new Promise((wake) => setTimeout(wake, 1));
    }
  }
}

function ignore(code: string) {
  return (error: unknown): void => {
    if (!CairnError.is(error) || error.code !== code) throw error;
  };
}
