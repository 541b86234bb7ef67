/**
 * For tests: members of a cluster in one process, each with its own connections to a real PostgreSQL. A turn takes the
 * lease, calls the test, and processes one message. All steps between the message and the turn run the code of the
 * product.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { WHOLE } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import { openClusterStore } from "@cairn/store/cluster";
import { type OpenedPool, openPool } from "@cairn/store/postgres";
import { makeEvent } from "@cairn/timeline";
import { type ClusterQueueOptions, ClusterTurnQueue } from "../src/queue/cluster/cluster-queue.ts";
import type { QueueStatus, RunConversation } from "../src/queue/turn-queue.ts";
import { createLog } from "../src/telemetry/log.ts";

type Store = Awaited<ReturnType<typeof openClusterStore>>;

const LEASE_MS = 6_000;
const NO_LIMITS = { user: Infinity, tenant: Infinity, total: Infinity };
const NEVER_MS = 3_600_000;
/** Calls to an unavailable database should fail soon. */
const PATIENCE_MS = 500;

export interface Member {
  readonly store: Store;
  readonly queue: ClusterTurnQueue;
  readonly log: readonly string[];
  /** Published statuses, as `<conversation> <status>`. */
  readonly told: readonly string[];
}

/** What a test does while the turn of a message runs. */
export type Answer = (message: string, signal: AbortSignal) => Promise<void>;

export class QueueBench implements AsyncDisposable {
  readonly database: string;
  readonly jobs: OpenedPool["pool"];
  /** Connections to the database that this process lost. */
  readonly lost: Error[] = [];
  readonly #endJobs: OpenedPool["end"];
  readonly #folder: string;
  readonly #members: Member[] = [];
  readonly #lose = (error: Error) => void this.lost.push(error);
  #conversations = 0;

  private constructor(database: string, folder: string) {
    this.database = database;
    this.#folder = folder;
    const { pool, end } = openPool({ connectionString: database, max: 1 }, this.#lose);
    this.jobs = pool;
    this.#endJobs = end;
  }

  static async open(postgres: { createDatabase(): Promise<string> }): Promise<QueueBench> {
    return new QueueBench(await postgres.createDatabase(), await mkdtemp(join(tmpdir(), "cairn-queue-")));
  }

  /** A member that sweeps for lost turns only at its start, unless configured otherwise. */
  async member(answer: Answer, options: Partial<ClusterQueueOptions> = {}): Promise<Member> {
    const { database } = this;
    const store = await openClusterStore({
      database,
      blobs: this.#folder,
      patienceMs: PATIENCE_MS,
      onConnectionLost: this.#lose,
    });
    const lines: string[] = [];
    const told: string[] = [];
    const log = createLog({ write: (line: string) => lines.push(line) > 0 }, Date.now);
    const queue = await ClusterTurnQueue.open({
      database,
      store,
      isAsking: async () => false,
      concurrency: 4,
      shares: WHOLE,
      limits: NO_LIMITS,
      isWatched: true,
      log,
      sweepMs: NEVER_MS,
      ...options,
    });
    queue.onChange(({ conversation }: ConversationKey, { status }: QueueStatus) =>
      told.push(`${conversation} ${status}`),
    );
    queue.start(runNext(store, answer));
    const member = { store, queue, log: lines, told };
    this.#members.push(member);
    return member;
  }

  async converse({ store }: Member): Promise<ConversationKey> {
    const key = { tenant: "t", project: "p", user: "u", conversation: `c${++this.#conversations}` };
    await store.createConversation(key);
    return key;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { queue, store } of this.#members) {
      await queue.drain(0);
      await store.close();
    }
    await this.#endJobs();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Stores the message in the journal first, as a server does. */
export async function say({ store, queue }: Member, key: ConversationKey, message: string): Promise<void> {
  await hear({ store }, key, message);
  await queue.offer(key);
}

/** Stores a message without enqueuing its conversation. */
export async function hear({ store }: Pick<Member, "store">, key: ConversationKey, message: string): Promise<void> {
  const body = { key: message, mode: "turn" as const, message, attachments: [], ts: "2026-02-09T10:00:00Z" };
  await store.append(key, [makeEvent("input.received", body)]);
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20);
}

/** The processed messages, in order. */
export async function answered({ store }: Member, key: ConversationKey): Promise<readonly string[]> {
  const events = await store.readEvents(key, { limit: 10_000 });
  return events.flatMap(({ event }) => (event.kind === "input.promoted" ? [String(Object(event.body).key)] : []));
}

function runNext(store: Store, answer: Answer): RunConversation {
  return async (key, signal) => {
    const lease = await store.acquireLease(key, "bench", LEASE_MS);
    const renewing = setInterval(
      () => void store.renewLease(key, lease.token, LEASE_MS).catch(() => undefined),
      LEASE_MS / 3,
    );
    try {
      const { state } = await store.load(key);
      const [next] = state.pendingInputs.values();
      if (next === undefined) return "idle";
      await answer(next.message, signal);
      signal.throwIfAborted();
      await store.append(key, [makeEvent("input.promoted", { key: next.key, turn_id: `turn_${next.key}` })], {
        lease: { token: lease.token, expectedSeq: lease.last_timeline_seq },
      });
      return "ended";
    } finally {
      clearInterval(renewing);
      await store.releaseLease(key, lease.token);
    }
  };
}

export const atOnce: Answer = async () => undefined;

/** A turn that runs until the test releases it. */
export function held() {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const answer: Answer = async (message, signal) => {
    begun.push(message);
    signal.throwIfAborted();
    const stopped = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => stopped.reject(signal.reason), { once: true });
    await Promise.race([gate.promise, stopped.promise]);
  };
  return { begun, answer, release: () => gate.resolve() };
}
