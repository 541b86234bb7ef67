/**
 * Titles given by people. A running turn is the only writer of the journal, and renaming must not wait for its end: the
 * title is stored beside the journal at once and shown from then on. The process that ran the turn writes it to the
 * journal when the turn has ended. The last title counts.
 */
import type { ConversationInfo, ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { withLease } from "../http/with-lease.ts";
import type { Log } from "../telemetry/log.ts";

const WANTED = "title.wanted";
const LANDED = "title.landed";
/** How long a rename waits for the current writer. */
const PATIENCE_MS = 200;
/** For turns of processes that do not know about titles, such as a chat in a terminal. */
const TRY_AGAIN_MS = 2_000;

export interface TitlesOptions {
  readonly store: ConversationStore;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export class Titles implements Disposable {
  readonly #options: TitlesOptions;
  readonly #later = new Set<NodeJS.Timeout>();

  constructor(options: TitlesOptions) {
    this.#options = options;
  }

  /** The title is durable when this resolves. */
  async give(key: ConversationKey, title: string): Promise<void> {
    await this.#options.store.saveArtifact(key, { kind: WANTED, payload: { title } });
    await this.land(key);
  }

  /** The title of a conversation as last set by its user. */
  async shown(key: ConversationKey, { title, open_turn }: ConversationInfo): Promise<string | null> {
    // Without a writing turn, no title is pending.
    return open_turn === null ? title : ((await this.#waiting(key))?.title ?? title);
  }

  /** Writes a pending title to the journal; later, if another writer is active. */
  async land(key: ConversationKey): Promise<void> {
    if ((await this.#waiting(key)) === null) return;
    const { store } = this.#options;
    try {
      await withLease(this.#options, key, PATIENCE_MS, async ({ token, last_timeline_seq: expectedSeq }) => {
        const wanted = await this.#waiting(key);
        if (wanted === null) return;
        const named = makeEvent("meta.set", { conversation_title: wanted.title });
        await store.append(key, [named], { lease: { token, expectedSeq } });
        await store.saveArtifact(key, { kind: LANDED, payload: { wanted: wanted.id } });
      });
    } catch (error) {
      if (!CairnError.is(error) || error.code !== "lease_held") throw error;
      this.#landLater(key);
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#later) clearTimeout(timer);
  }

  #landLater(key: ConversationKey): void {
    const { conversation } = key;
    const timer = setTimeout(() => {
      this.#later.delete(timer);
      this.land(key).catch((error: unknown) => {
        if (!CairnError.is(error) || error.code !== "not_found")
          this.#options.log.error("A title could not be written to its journal.", error, { conversation });
      });
    }, TRY_AGAIN_MS);
    timer.unref();
    this.#later.add(timer);
  }

  /** The last requested title, unless it is already in the journal. */
  async #waiting(key: ConversationKey): Promise<{ readonly id: string; readonly title: string } | null> {
    const { store } = this.#options;
    const [wanted] = await store.recent(key, { kinds: [WANTED], limit: 1 });
    if (wanted === undefined) return null;
    const [landed] = await store.recent(key, { kinds: [LANDED], limit: 1 });
    const title = fieldOf(wanted.payload, "title");
    return title === null || fieldOf(landed?.payload, "wanted") === wanted.id ? null : { id: wanted.id, title };
  }
}

function fieldOf(payload: unknown, name: string): string | null {
  if (typeof payload !== "object" || payload === null) return null;
  const value = Object.entries(payload).find(([each]) => each === name)?.[1];
  return typeof value === "string" ? value : null;
}
