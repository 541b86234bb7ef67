/** What a back end provides for a suite, and the small helpers that every part of the suites shares. */
import type { ConversationKey, ConversationStore, StoreMaintenance } from "@cairn/store";
import { CairnError, type Clock, snapshotState, type TimelineState } from "@cairn/timeline";
import { afterAll, beforeAll, expect } from "vitest";

export type Store = ConversationStore & StoreMaintenance;

interface OpenedStore {
  readonly store: Store;
  /** Another handle on the same data, like that of another process; with its own clock if one is given. */
  another(clock?: Clock): Promise<Store>;
  /** A folder that does not exist yet, for a backup. */
  newFolder(): string;
  /** Opens a folder that `backup` wrote. */
  openBackup(folder: string): Promise<Store>;
  /** Closes every handle and removes the data. */
  dispose(): Promise<void>;
}

/** Opens a new, empty store that reads the time from `clock`. */
export type OpenStore = (clock: Clock) => Promise<OpenedStore>;

/** A clock that moves only on request. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 1, 9);

  now(): number {
    return this.#now;
  }

  tick(ms = 1): void {
    this.#now += ms;
  }
}

export interface Bench extends OpenedStore {
  readonly clock: ManualClock;
  /** The key of a conversation that does not exist yet. */
  newKey(fields?: Partial<ConversationKey>): ConversationKey;
}

let keys = 0;

/** One store for the tests of a `describe`; each test uses its own keys. */
export function useStore(open: OpenStore): () => Bench {
  let bench: Bench | null = null;
  beforeAll(async () => {
    const clock = new ManualClock();
    const newKey = (fields: Partial<ConversationKey> = {}) => ({
      tenant: "t",
      project: "p",
      user: "u",
      conversation: `conv_${++keys}`,
      ...fields,
    });
    bench = { ...(await open(clock)), clock, newKey };
  });
  afterAll(async () => bench?.dispose());
  return () => {
    if (bench === null) throw new Error("The store is not open yet.");
    return bench;
  };
}

/** The code of the `CairnError` a call throws. Any other error, or none, fails the test. */
export async function codeOf(call: Promise<unknown> | AsyncIterable<unknown>): Promise<string> {
  try {
    const result = Symbol.asyncIterator in call ? await collect(call) : await call;
    expect.fail(`nothing was thrown; the answer was ${JSON.stringify(result)?.slice(0, 200)}`);
  } catch (error) {
    if (CairnError.is(error)) return error.code;
    throw error;
  }
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

export async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(Buffer.concat(await collect(source)));
}

/** Values that JSON cannot hold. */
export function notJson(): unknown[] {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  return [undefined, 1n, { a: 1n }, cycle, deep, () => 1];
}

/** A state as plain data: two states are equal if these are. */
export function plain(state: TimelineState): unknown {
  return JSON.parse(JSON.stringify(snapshotState(state)));
}
