import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { forkConversation } from "./fork.ts";

const key = { tenant: "acme", project: "site", user: "ada", conversation: "c1" };
const TS = "2026-02-09T10:00:00.000Z";

it("a fork after a turn is possible if the batch that closed the turn had more events, such as its pruned results", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-fork-"));
  const store = await openEmbeddedStore({ dir: folder });
  try {
    await store.createConversation(key);
    const { token, last_timeline_seq } = await store.acquireLease(key, "worker", 1_000);
    const batch = [
      makeEvent("turn.opened", { turn_id: "turn_a", ts: TS }),
      makeEvent("turn.closed", { turn_id: "turn_a", ts: TS, exit: "complete", announced: null }),
      makeEvent("meta.set", { last_activity_at: TS }),
    ];
    await store.append(key, batch, { lease: { token, expectedSeq: last_timeline_seq } });
    const parts = { store, withLease: () => Promise.reject(new Error("Nothing is written after a turn.")) };
    await forkConversation(parts, key, "c2", { turn_id: "turn_a", edge: "after" }, false);
    const { state, seq } = await store.load({ ...key, conversation: "c2" });
    expect({ turns: state.turnIds, seq }).toEqual({ turns: ["turn_a"], seq: batch.length });
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
