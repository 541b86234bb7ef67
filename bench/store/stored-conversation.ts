/** A conversation of the script in its own data folder, with a lease for appending to it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ConversationKey, type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import type { TimelineEvent } from "@cairn/timeline";
import { ConversationScript, ROUNDS_PER_TURN } from "./conversation-script.ts";

export const KEY: ConversationKey = { tenant: "bench", project: "p", user: "u", conversation: "c" };

export class StoredConversation {
  readonly dir: string;
  readonly store: EmbeddedStore;
  readonly #side: DatabaseSync;
  readonly #script: ConversationScript;
  readonly #token: number;
  #expectedSeq: number;

  private constructor(dir: string, store: EmbeddedStore, script: ConversationScript, token: number, seq: number) {
    this.dir = dir;
    this.store = store;
    this.#side = new DatabaseSync(join(dir, "cairn.db"), { timeout: 1_000 });
    this.#script = script;
    this.#token = token;
    this.#expectedSeq = seq;
  }

  /** Writes a conversation of this many rounds into the folder, without waiting for the disk. */
  static async build(dir: string, rounds: number): Promise<void> {
    const store = await openEmbeddedStore({ dir, sync: "off" });
    await store.createConversation(KEY);
    const { token } = await store.acquireLease(KEY, "bench", 86_400_000);
    const conversation = new StoredConversation(dir, store, new ConversationScript(), token, 0);
    for (let nth = 0; nth < rounds; nth++) await conversation.append(conversation.next());
    await store.releaseLease(KEY, token);
    await conversation.close();
  }

  /** Opens a copy of a folder that was built with `rounds`, and appends one turn, so that everything is warm. */
  static async openCopy(from: string, to: string, rounds: number): Promise<StoredConversation> {
    cpSync(from, to, { recursive: true });
    const store = await openEmbeddedStore({ dir: to });
    const { token, last_timeline_seq } = await store.acquireLease(KEY, "bench", 86_400_000);
    const script = new ConversationScript();
    for (let nth = 0; nth < rounds; nth++) script.next();
    const conversation = new StoredConversation(to, store, script, token, last_timeline_seq);
    for (let nth = 0; nth < ROUNDS_PER_TURN; nth++) await conversation.append(conversation.next());
    conversation.checkpoint();
    return conversation;
  }

  next(): TimelineEvent[] {
    return this.#script.next();
  }

  async append(events: readonly TimelineEvent[]): Promise<void> {
    const lease = { token: this.#token, expectedSeq: this.#expectedSeq };
    this.#expectedSeq = (await this.store.append(KEY, events, { lease })).lastTimelineSeq;
  }

  /** Copies the log into the database, so that every measurement, however short, includes only its own copying. */
  checkpoint(): void {
    this.#side.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  async close(): Promise<void> {
    this.#side.close();
    await this.store.close();
  }
}
