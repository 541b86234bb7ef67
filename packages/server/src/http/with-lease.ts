/** Writes a timeline event outside any turn: takes the lease for a moment, waiting a little for one who has it. */
import { setTimeout as wait } from "node:timers/promises";
import type { ConversationKey, Lease } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { ServerParts } from "./server-parts.ts";

const PATIENCE_MS = 1_500;
const LOOK_AGAIN_MS = 50;
const LEASE_MS = 5_000;

/** Throws `lease_held` when a turn goes on writing. */
export async function withLease<T>(
  { store, now }: Pick<ServerParts, "store" | "now">,
  key: ConversationKey,
  write: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await acquire();
  try {
    return await write(lease);
  } finally {
    await store.releaseLease(key, lease.token);
  }

  async function acquire(): Promise<Lease> {
    for (const deadline = now() + PATIENCE_MS; ; ) {
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
