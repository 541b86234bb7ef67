/** A writer that appends every few milliseconds under one lease until it is refused, and reports the answers it got. */
import "../crash/end-with-parent.ts";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConversationKey } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { openByRecipe, type StoreRecipe } from "../crash/store-recipe.ts";

export interface PatientOrder {
  readonly recipe: StoreRecipe;
  readonly key: ConversationKey;
  readonly ttlMs: number;
}

const { recipe, key, ttlMs }: PatientOrder = JSON.parse(process.argv[2] ?? "{}");
const store = await openByRecipe(recipe);
const { token, last_timeline_seq } = await store.acquireLease(key, "patient", ttlMs);
let expectedSeq = last_timeline_seq;
try {
  for (let n = 0; ; n++) {
    const event = makeEvent("meta.set", { conversation_title: `patient ${n}` });
    const appended = await store.append(key, [event], { lease: { token, expectedSeq } });
    expectedSeq = appended.lastTimelineSeq;
    writeSync(1, `ack ${expectedSeq}\n`);
    await sleep(10);
  }
} catch (error) {
  writeSync(1, `refused ${CairnError.is(error) ? error.code : String(error)}\n`);
}
await store.close();
process.exit(0);
