/** Pauses a writer for longer than its lease, takes over meanwhile, and resumes it. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { lineOf, startChild } from "../crash/child-process.ts";
import type { StoreRecipe } from "../crash/store-recipe.ts";
import type { PatientOrder } from "./patient-writer.ts";

const WRITER = new URL("./patient-writer.ts", import.meta.url);

export interface PausedWriter {
  /** Seqs that were acknowledged to the writer, all before the takeover. */
  readonly acknowledged: readonly number[];
  readonly takeoverSeq: number;
  /** The error code that the writer got after it was resumed. */
  readonly refusal: string;
}

export async function pauseWriter(
  store: ConversationStore,
  recipe: StoreRecipe,
  key: ConversationKey,
  ttlMs: number,
): Promise<PausedWriter> {
  const child = startChild(WRITER, { recipe, key, ttlMs } satisfies PatientOrder);
  await lineOf(child, (line) => line.startsWith("ack "));
  child.process.kill("SIGSTOP");
  let lease = null;
  while (lease === null)
    try {
      lease = await store.acquireLease(key, "successor", 60_000);
    } catch (error) {
      // A writer that is paused inside a transaction also holds the database's lock. In this case it is resumed until
      // the transaction ends, and paused again.
      if ((error as { code?: string }).code === "busy") {
        child.process.kill("SIGCONT");
        await new Promise((wake) => setTimeout(wake, 5));
        child.process.kill("SIGSTOP");
      } else if ((error as { code?: string }).code !== "lease_held") throw error;
      await new Promise((wake) => setTimeout(wake, ttlMs / 4));
    }
  const { token, last_timeline_seq: expectedSeq } = lease;
  const event = makeEvent("meta.set", { conversation_title: "taken over" });
  const { lastTimelineSeq } = await store.append(key, [event], { lease: { token, expectedSeq } });
  child.process.kill("SIGCONT");
  const { lines } = await child.exited;
  const acknowledged = lines.filter((line) => line.startsWith("ack ")).map((line) => Number(line.slice(4)));
  return { acknowledged, takeoverSeq: lastTimelineSeq, refusal: lines.at(-1)?.replace("refused ", "") ?? "" };
}
