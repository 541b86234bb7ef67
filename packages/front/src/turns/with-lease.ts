/** Writes a timeline event outside any turn: takes the lease briefly, and waits a little if another writer holds it. */
import { setTimeout as wait } from "node:timers/promises";
import type { ConversationKey, ConversationStore, Lease } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

const LOOK_AGAIN_MS = 50;
const LEASE_MS = 5_000;

/** Throws `lease_held` when another writer holds it for longer. */
export async function withLease<T>(
  { store, now }: { readonly store: ConversationStore; readonly now: () => number },
  key: ConversationKey,
  patienceMs: number,
  write: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await acquire();
  try {
    return await write(lease);
  } finally {
    await store.releaseLease(key, lease.token);
  }

  async function acquire(): Promise<Lease> {
    for (const deadline = now() + patienceMs; ; ) {
      try {
        return await store.acquireLease(key, "server", LEASE_MS);
      } catch (error) {
        if (!CairnError.is(error) || error.code !== "lease_held") throw error;
        if (now() > deadline)
          throw new CairnError("lease_held", "A turn is writing to the conversation. Try again when it has ended.");
        await wait(LOOK_AGAIN_MS);
      }
    }
  }
}
