/** The queue that fits the store: jobs in PostgreSQL for a cluster, and one in the process for a data folder. */
import { type ConversationKey, loadOptional } from "@cairn/store";
import type { OpenedStore } from "../data/open-store.ts";
import type { ClusterQueueOptions } from "../queue/cluster/cluster-queue.ts";
import { EmbeddedTurnQueue } from "../queue/embedded-queue.ts";
import type { TurnQueue } from "../queue/turn-queue.ts";
import { WatchingQueue } from "../queue/watching-queue.ts";

interface OpenQueueOptions extends Omit<ClusterQueueOptions, "store" | "database" | "isAsking" | "sweepMs"> {
  readonly store: OpenedStore;
  /** URL of the database, `postgres://…`; null for a data folder. */
  readonly database: string | null;
}

export async function openQueue(options: OpenQueueOptions): Promise<TurnQueue> {
  const { store, database, concurrency } = options;
  const isAsking = async (key: ConversationKey, at: number) => {
    const { state, seq } = await store.loadOutline(key);
    if (seq !== at) return null;
    const { approvalsRequested, approvalsGiven } = state;
    // A turn can continue as soon as one of its calls has an answer.
    return approvalsRequested.size > 0 && approvalsGiven.size === 0;
  };
  if (database !== null) {
    const { ClusterTurnQueue } = await loadOptional(
      () => import("../queue/cluster/cluster-queue.ts"),
      "A store in PostgreSQL",
      "pg graphile-worker",
    );
    return ClusterTurnQueue.open({ ...options, database, isAsking });
  }
  const unfinished = () => store.unfinished();
  return concurrency > 0
    ? new EmbeddedTurnQueue({ ...options, unfinished, isAsking })
    : new WatchingQueue({ ...options, unfinished, isAsking });
}
