/** The queue that fits the store: jobs in PostgreSQL for a cluster, and one in the process for a data folder. */
import type { ShareLimits, Shares } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import type { OpenedStore } from "cairn-agent/process";
import { EmbeddedTurnQueue } from "./queue/embedded-queue.ts";
import type { TurnQueue } from "./queue/turn-queue.ts";
import { WatchingQueue } from "./queue/watching-queue.ts";
import type { Log } from "./telemetry/log.ts";

export interface OpenQueueOptions {
  readonly store: OpenedStore;
  /** `postgres://…`; null for a data folder. */
  readonly database: string | null;
  /** Concurrent turns; 0 leaves them to other processes. */
  readonly concurrency: number;
  /** How many of them one user and one tenant may have. */
  readonly shares: Shares;
  /** Conversations that may wait. */
  readonly limits: ShareLimits;
  /** Whether this process has followers of conversations. */
  readonly isWatched: boolean;
  readonly log: Log;
}

export async function openQueue(options: OpenQueueOptions): Promise<TurnQueue> {
  const { store, database, concurrency } = options;
  const isAsking = async (key: ConversationKey, at: number) => {
    const { state, seq } = await store.load(key);
    if (seq !== at) return null;
    const { approvalsRequested, approvalsGiven } = state;
    return [...approvalsRequested.keys()].some((call) => !approvalsGiven.has(call));
  };
  if (database !== null) {
    const { ClusterTurnQueue } = await import("./queue/cluster/cluster-queue.ts");
    return ClusterTurnQueue.open({ ...options, database, isAsking });
  }
  const unfinished = () => store.unfinished();
  return concurrency > 0
    ? new EmbeddedTurnQueue({ ...options, unfinished })
    : new WatchingQueue({ ...options, unfinished, isAsking });
}
