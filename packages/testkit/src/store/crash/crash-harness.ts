/**
 * Kills a writer again and again at unpredictable times, and checks the data each time.
 *
 * After every kill: each acknowledged batch is stored, at its seqs, with its bytes; no batch and no fork is stored in
 * part; seqs have no gap. Kill times are spread over a child's whole life, including its opening of the store.
 */
import type { ConversationKey, ConversationStore, StoredEvent, StoreMaintenance } from "@cairn/store";
import { type ChildExit, runChild, startChild } from "./child-process.ts";
import type { Acknowledged, CrashOrder } from "./crash-writer.ts";
import type { StoreRecipe } from "./store-recipe.ts";

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly events: number;
  /** Descriptions of all violations that were found. */
  readonly losses: readonly string[];
}

const WRITER = new URL("./crash-writer.ts", import.meta.url);

/** Returns a number from 0 to 1, excluding 1. */
export type Random = () => number;

/** Runs the writers one after the other in `key`'s conversation. `store` is the checker's own handle. */
export async function killWriters(
  store: ConversationStore & StoreMaintenance,
  recipe: StoreRecipe,
  key: ConversationKey,
  lives: number,
  random: Random,
): Promise<CrashReport> {
  const judge = new Judge(store, key);
  let kills = 0;
  // A child that exits normally leaves compiled code for the others, which then start in a third of the time.
  await judge.look(await runChild(WRITER, { recipe, key, life: 0, batches: 1 } satisfies CrashOrder));
  for (let life = 1; life <= lives; life++) {
    const exit = await liveAndDie({ recipe, key, life }, random);
    if (exit.signal === "SIGKILL") kills++;
    else judge.losses.push(`life ${life} ended by itself: ${exit.stderr}`);
    await judge.look(exit.lines);
    if (life % 10 === 0) await store.gc();
  }
  return { kills, acknowledged: judge.acknowledged, events: judge.events, losses: judge.losses };
}

/**
 * One child in three is killed at any time after its start, one at any time after it is ready to append, and one
 * shortly after an acknowledgement, so that there is data to lose on a busy machine, too.
 */
async function liveAndDie(order: CrashOrder, random: Random): Promise<ChildExit> {
  const third = random() * 3;
  const lastAck = 1 + Math.floor(random() * 6);
  let acks = 0;
  const child = startChild(WRITER, order, {
    onLine: (line, process) => {
      const dieWithin = (ms: number) => setTimeout(() => process.kill("SIGKILL"), random() * ms);
      if (line === "ready" && third >= 1 && third < 2) dieWithin(60);
      if (line.startsWith("ack ") && ++acks === lastAck && third >= 2) dieWithin(10);
    },
  });
  if (third < 1) setTimeout(() => child.process.kill("SIGKILL"), random() * 250);
  return child.exited;
}

class Judge {
  readonly losses: string[] = [];
  acknowledged = 0;
  events = 0;
  readonly #store: ConversationStore;
  readonly #key: ConversationKey;

  constructor(store: ConversationStore, key: ConversationKey) {
    this.#store = store;
    this.#key = key;
  }

  async look(lines: readonly string[]): Promise<void> {
    const acks = lines.filter((line) => line.startsWith("ack ")).map((line): Acknowledged => JSON.parse(line.slice(4)));
    this.acknowledged += acks.length;
    await this.#lookAtFork();
    const found = await this.#newEvents();
    const batches = Map.groupBy(found, (stored) => markOf(stored).batch);
    for (const [batch, events] of batches) {
      const { size } = markOf(events[0]);
      if (events.length !== size + 1) this.losses.push(`${batch}: ${events.length} of ${size + 1} events are there`);
    }
    for (const { batch, seqs, blob } of acks) {
      const there = (batches.get(batch) ?? []).map((stored) => stored.seq);
      if (there.join() !== seqs.join()) this.losses.push(`${batch}: acknowledged at ${seqs}, found at ${there}`);
      if (blob !== null && !(await this.#isReadable(blob))) this.losses.push(`${batch}: the bytes of ${blob} are gone`);
    }
  }

  /**
   * A fork or branch has all of its events or does not exist. Imports are not checked: only their file has their
   * events.
   */
  async #lookAtFork(): Promise<void> {
    for (const kind of ["fork", "branch"]) {
      const key = { ...this.#key, conversation: `${this.#key.conversation} ${kind}` };
      const made = await this.#store.getConversation(key).catch(() => null);
      if (made === null) continue;
      const { seq } = await this.#store.load(key);
      if (seq !== made.forked_from?.seq) this.losses.push(`half a ${kind}: ${seq} events`);
    }
  }

  /** The events since the last check. A conversation that no child has created yet has none. */
  async #newEvents(): Promise<StoredEvent[]> {
    const found: StoredEvent[] = [];
    for (;;) {
      const options = { after: this.events, limit: 1_000 };
      const page = await this.#store.readEvents(this.#key, options).catch((error) => {
        if (error.code === "not_found" && this.events === 0) return [];
        throw error;
      });
      for (const stored of page) {
        if (stored.seq !== ++this.events) this.losses.push(`event ${this.events} is missing`);
        found.push(stored);
      }
      if (page.length < options.limit) return found;
    }
  }

  async #isReadable(blob: `sha256:${string}`): Promise<boolean> {
    try {
      for await (const _ of this.#store.readBlob(this.#key, blob));
      return true;
    } catch {
      return false; // The missing event is reported as a loss.
    }
  }
}

function markOf(stored: StoredEvent | undefined): { batch: string; size: number } {
  const body = stored?.event.body as {
    batch?: string;
    size?: number;
    block?: { meta?: { batch: string; size: number } };
  };
  const { batch = "", size = 0 } = body.block?.meta ?? body;
  return { batch, size };
}
