/**
 * The queue of a cluster. Any number of processes share one PostgreSQL database and offer conversations as jobs.
 * Processes with free slots take them, round-robin by tenant and user (`turn-jobs.ts`). A job is one turn; a
 * conversation that has more work goes to the end of its user's line. Each user and tenant uses at most its share of a
 * process's slots.
 *
 * The journal is the source of truth. A job only names a conversation to check, and the lease decides which process may
 * write. So a superfluous job does nothing, and a periodic sweep finds conversations whose job was lost.
 */
import { setTimeout as wait } from "node:timers/promises";
import { type ShareLimits, type Shares, shareLimits } from "@cairn/agent";
import { type ConversationKey, scopeKey, type UnfinishedConversation } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { OpenedStore } from "../../data/open-store.ts";
import type { GoingItem, Status } from "../../live/live-item.ts";
import type { Log } from "../../telemetry/log.ts";
import { afterFailure } from "../after-failure.ts";
import { queueFull } from "../queue-full.ts";
import { RunningTurns } from "../running-turns.ts";
import type { QueueStatus, RunConversation, RunResult, TurnQueue } from "../turn-queue.ts";
import { Chores } from "./chores.ts";
import { GoingOn } from "./going-on.ts";
import { jobLogger } from "./job-log.ts";
import { LostTurns } from "./lost-turns.ts";
import { openQueueDatabase, type QueueDatabase } from "./queue-database.ts";
import { StatusChannel } from "./status-channel.ts";
import { Statuses } from "./statuses.ts";
import { jobFlagsOf, readJob, type TurnJob, TurnJobs } from "./turn-jobs.ts";
import { TurnWorkers } from "./turn-workers.ts";
import { WaitingJobs } from "./waiting-jobs.ts";
import { DEAD_AFTER_MS, WorkerHeartbeats } from "./worker-heartbeats.ts";

export interface ClusterQueueOptions {
  /** URL of the database, `postgres://…`. */
  readonly database: string;
  readonly store: Pick<OpenedStore, "unfinished">;
  /** Whether the conversation waits for an approval; null if its last event is no longer `seq`. */
  readonly isAsking: (key: ConversationKey, seq: number) => Promise<boolean | null>;
  /** Concurrent turns in this process; 0 when it runs none. */
  readonly concurrency: number;
  /** Shares of one user and of one tenant in the concurrent turns. */
  readonly shares: Shares;
  /** Maximum number of waiting conversations in the whole cluster. */
  readonly limits: ShareLimits;
  /** Whether followers in this process need the status of conversations that run in other processes. */
  readonly isWatched: boolean;
  readonly log: Log;
  readonly sweepMs?: number;
}

const BEAT_MS = 2_000;
const LOOK_FOR_DEAD_MS = 2_000;
const SWEEP_MS = 5_000;
const COUNT_MS = 1_000;
/** Time between the end of a lease that another process held and the retry. */
const AFTER_LEASE_MS = 50;
const NO_ROOM_MS = 500;
const INSIST_MS = 250;
/** The retries of an offer last until the sweep would find the conversation anyway. */
const MAX_OFFERS = SWEEP_MS / INSIST_MS;
/** If failures repeat, one in this many is logged. */
const TELL_EVERY = 40;

export class ClusterTurnQueue implements TurnQueue {
  readonly #options: ClusterQueueOptions;
  readonly #database: QueueDatabase;
  readonly #jobs: TurnJobs;
  readonly #turns: RunningTurns;
  readonly #statuses: Statuses;
  readonly #channel: StatusChannel;
  readonly #heartbeats: WorkerHeartbeats;
  readonly #workers: TurnWorkers;
  readonly #chores: Chores;
  readonly #listeners: ((key: ConversationKey, status: QueueStatus) => void)[] = [];
  readonly #goingOn: GoingOn;
  readonly #sharedListeners: ((key: ConversationKey, item: GoingItem) => void)[] = [];
  #run: RunConversation | null = null;
  #heart: NodeJS.Timeout | null = null;
  #waiting: WaitingJobs;
  #countedAt = Number.NEGATIVE_INFINITY;
  #draining = false;

  private constructor(options: ClusterQueueOptions, database: QueueDatabase) {
    const { store, isAsking, concurrency, log } = options;
    this.#options = options;
    this.#database = database;
    this.#turns = new RunningTurns(shareLimits(concurrency, options.shares));
    this.#jobs = new TurnJobs(database.pool);
    this.#waiting = new WaitingJobs([], options.limits);
    this.#statuses = new Statuses({ unfinished: (among) => store.unfinished({ among }), isAsking });
    this.#channel = new StatusChannel({
      database,
      hear: (key, status) => this.#tellHere(key, status),
      hearGoing: (key, item) => {
        for (const listener of this.#sharedListeners) listener(key, item);
      },
      status: (key) => this.#statuses.of(key),
    });
    this.#goingOn = new GoingOn({ tell: (items) => this.#channel.tellGoing(items), now: () => performance.now() });
    this.#heartbeats = new WorkerHeartbeats(database);
    const run = (payload: unknown) => this.#take(payload);
    const skip = () => jobFlagsOf(this.#turns.full());
    const free = () => concurrency - this.#turns.size;
    this.#workers = new TurnWorkers({ database, concurrency, free, log, logger: jobLogger(log), run, skip });
    const lost = new LostTurns({
      unfinished: () => store.unfinished(),
      jobs: this.#jobs,
      now: () => performance.now(),
    });
    this.#chores = new Chores(database.pool, log, [
      {
        name: "release the jobs of dead workers",
        everyMs: LOOK_FOR_DEAD_MS,
        // During an outage no process could send heartbeats, so afterwards each gets time to report that it is alive.
        settledMs: DEAD_AFTER_MS,
        run: async () => {
          const dead = await this.#heartbeats.freeJobsOfTheDead();
          if (dead > 0) log.warn("Workers died. Other workers take over their turns.", { workers: dead });
        },
      },
      {
        name: "enqueue lost conversations",
        everyMs: options.sweepMs ?? SWEEP_MS,
        settledMs: 0,
        run: async () => {
          const found = await lost.offer();
          if (found.length > 0) log.info("offered", { conversations: found.length });
        },
      },
    ]);
  }

  static async open(options: ClusterQueueOptions): Promise<ClusterTurnQueue> {
    const { database: url, log } = options;
    const onConnectionLost = (error: Error) =>
      log.warn("The connection to the queue's database was lost.", { error: error.message });
    return new ClusterTurnQueue(options, await openQueueDatabase({ url, logger: jobLogger(log), onConnectionLost }));
  }

  get running(): number {
    return this.#turns.size;
  }

  /** Number of waiting conversations in the whole cluster, as last counted. */
  get waiting(): number {
    return this.#waiting.total;
  }

  start(run: RunConversation): void {
    this.#run = run;
    if (this.#options.concurrency > 0) this.#workers.start();
    if (this.#options.isWatched) this.#channel.listen();
    this.#beat();
    this.#heart = setInterval(() => this.#beat(), BEAT_MS);
    this.#heart.unref();
    this.#chores.start();
  }

  async admit(key: ConversationKey): Promise<void> {
    if (this.#draining)
      throw new CairnError(
        "draining",
        "This process is stopping and takes no messages. Send the message again in a moment.",
      );
    const reached = (await this.#count()).reached(key);
    if (reached !== null && (await this.status(key)).status === "idle") throw queueFull(reached);
  }

  /** Never throws, because the sweep finds conversations without a job. */
  async offer(key: ConversationKey): Promise<void> {
    const offer = () => this.#jobs.offer({ key, failures: 0 });
    try {
      await offer();
      this.#offered(key);
    } catch (error) {
      const { log } = this.#options;
      log.error("A conversation could not be enqueued; retrying.", error, { conversation: key.conversation });
      // The offer is not awaited: the caller need not wait until the job is written.
      this.#insist(offer, MAX_OFFERS).then(
        () => this.#offered(key),
        (last) =>
          log.error("A conversation could not be enqueued; the sweep for lost conversations will find it.", last, {
            conversation: key.conversation,
          }),
      );
    }
  }

  #offered(key: ConversationKey): void {
    this.#waiting.add(key);
    // Publishing is not awaited: the caller need not wait until the status is published.
    this.#statusOf(key).then(
      (status) => this.#tell(key, status),
      () => undefined,
    );
  }

  async status(key: ConversationKey): Promise<QueueStatus> {
    return { status: await this.#statusOf(key) };
  }

  onChange(listener: (key: ConversationKey, status: QueueStatus) => void): void {
    this.#listeners.push(listener);
  }

  share(key: ConversationKey, name: string, item: GoingItem | null): void {
    this.#goingOn.note(`${scopeKey(key)} ${name}`, key, item);
  }

  onShared(listener: (key: ConversationKey, item: GoingItem) => void): void {
    this.#sharedListeners.push(listener);
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    this.#chores.stop();
    this.#workers.stop();
    await this.#turns.drain(graceMs);
    const pools = this.#workers.ids;
    await this.#workers.stopped();
    if (this.#heart !== null) clearInterval(this.#heart);
    this.#goingOn.close();
    await this.#channel.close();
    // Without this report, other processes still notice the missing heartbeats.
    if (pools.length > 0) await this.#heartbeats.leave(pools).catch(() => undefined);
    await this.#database.close();
  }

  /** Runs the turn of a job that was taken. The conversation gets another job if there is more to do. */
  async #take(payload: unknown): Promise<void> {
    const job = readJob(payload);
    if (job === null) {
      this.#options.log.warn("The queue contained a job that is not Cairn's. The job was removed.");
      return;
    }
    const { key } = job;
    if (this.#run === null || this.#draining) return this.#putOff(job, NO_ROOM_MS);
    try {
      const unfinished = await this.#find(key);
      if (unfinished === null) this.#tell(key, "idle");
      else if (unfinished.held_ms > 0) await this.#waitForLease(job, unfinished.held_ms);
      // Several workers may have taken jobs of one owner at the same time, and together exceed its share.
      else if (this.#turns.has(key) || !this.#turns.hasRoomFor(key)) await this.#putOff(job, NO_ROOM_MS);
      else {
        const turn = this.#turns.begin(key);
        const running = this.#run(key, turn.signal).finally(turn.end);
        this.#tell(key, "running");
        await this.#goOn(key, await running);
      }
    } catch (error) {
      await this.#failed(job, error);
    }
  }

  /** Postpones the job until the lease ends: its holder continues the conversation or has died. */
  async #waitForLease(job: TurnJob, heldMs: number): Promise<void> {
    await this.#putOff(job, heldMs + AFTER_LEASE_MS);
    // The turn may have ended, and looked for postponed jobs, before this job was postponed.
    const now = await this.#find(job.key);
    if (now !== null && now.held_ms === 0) await this.#jobs.offerAnew(job.key);
  }

  async #goOn(key: ConversationKey, result: RunResult): Promise<void> {
    if ((await this.#find(key)) === null) return this.#tell(key, "idle");
    // A message that arrived during the turn already has a job; it was postponed because the lease was held.
    const isMore = result === "ended" || (await this.#jobs.isDeferred(key));
    if (isMore) await this.#jobs.offerAnew(key);
    this.#tell(key, isMore || result !== "waiting" ? "queued" : "waiting");
  }

  async #failed(job: TurnJob, error: unknown): Promise<void> {
    const { key } = job;
    // Frees the job, so that another process can continue the turn immediately.
    if (this.#draining) return this.#insist(() => this.#jobs.offerAnew(key));
    const failures = job.failures + 1;
    const after = afterFailure(error, failures);
    if (after.kind === "gone") return this.#tell(key, "idle");
    if (after.kind === "held") return this.#putOff(job, after.againMs);
    const { againMs } = after;
    this.#options.log.error("A turn failed to run.", error, {
      conversation: key.conversation,
      again_in_ms: againMs,
    });
    await this.#putOff({ key, failures }, againMs);
    this.#tell(key, "queued");
  }

  #putOff(job: TurnJob, ms: number): Promise<void> {
    return this.#insist(() => this.#jobs.offer(job, ms));
  }

  /** Waits for an unavailable database, because no turn can run without it. */
  async #insist(write: () => Promise<void>, most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let failures = 0; ; failures++)
      try {
        return await write();
      } catch (error) {
        // The job stays taken until this process stops sending heartbeats, and is then freed.
        if (this.#draining || failures >= most) throw error;
        if (failures % TELL_EVERY === 0) this.#options.log.error("A job could not be written; retrying.", error);
        await wait(INSIST_MS);
      }
  }

  async #find(key: ConversationKey): Promise<UnfinishedConversation | null> {
    for await (const found of this.#options.store.unfinished({ among: [key] })) return found;
    return null;
  }

  /** If counting fails, the previous count is used. */
  async #count(): Promise<WaitingJobs> {
    if (performance.now() - this.#countedAt > COUNT_MS) {
      this.#countedAt = performance.now();
      const before = this.#waiting;
      this.#waiting = await this.#jobs.waiting().then(
        (found) => new WaitingJobs(found, this.#options.limits),
        () => before,
      );
    }
    return this.#waiting;
  }

  async #statusOf(key: ConversationKey): Promise<Status> {
    if (this.#turns.has(key)) return "running";
    const status = await this.#statuses.of(key);
    // Another process has taken the job and is about to acquire the lease.
    return status === "queued" && this.#channel.isTakenUp(key) ? "running" : status;
  }

  #beat(): void {
    // A failed heartbeat does no harm if the next one succeeds.
    this.#heartbeats.beat(this.#workers.ids).catch(() => undefined);
    if (this.#options.isWatched) void this.#count();
  }

  #tell(key: ConversationKey, status: Status): void {
    this.#tellHere(key, status);
    this.#channel.tell(key, status);
  }

  #tellHere(key: ConversationKey, status: Status): void {
    for (const listener of this.#listeners) listener(key, { status });
  }
}
