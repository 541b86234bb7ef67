/**
 * The same conversation kept by the LangGraph JS SQLite checkpointer, called as LangGraph's loop calls it: a checkpoint
 * names its parent, and what a step wrote is stored with the checkpoint from which the step started.
 *
 * A round is one step with two messages, a call and its result; LangGraph's own agent takes two steps for that. The
 * messages are made in memory, so that a long conversation need not be written from its beginning.
 */
import { join } from "node:path";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { CheckpointedConversation, CheckpointerMode } from "../store/checkpointer.ts";
import { ROUNDS_PER_TURN, WINDOW_CHARS } from "../store/conversation-script.ts";
import { AdaptedDatabase, asSaverDatabase } from "./better-sqlite-adapter.ts";
import { messagesOf } from "./messages-of.ts";

/** Number of steps from one whole state to the next in a `DeltaChannel`; this is its default. */
const DELTA_SNAPSHOT = 1_000;

export class SqliteCheckpointer implements CheckpointedConversation {
  readonly #mode: CheckpointerMode;
  readonly #db: AdaptedDatabase;
  readonly #saver: SqliteSaver;
  #messages: BaseMessage[] = [];
  #config: RunnableConfig = { configurable: { thread_id: "c", checkpoint_ns: "" } };
  #step = 0;

  constructor(dir: string, mode: CheckpointerMode) {
    this.#mode = mode;
    this.#db = new AdaptedDatabase(join(dir, `checkpoints-${mode}.db`));
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.pragma("wal_autocheckpoint = 4000");
    this.#saver = new SqliteSaver(asSaverDatabase(this.#db));
  }

  /**
   * Fills the conversation up to this many rounds, in one checkpoint; in the mode `delta`, the last ones step by step.
   */
  async fill(rounds: number): Promise<void> {
    this.#db.pragma("synchronous = OFF");
    const whole = this.#mode === "delta" ? Math.max(0, rounds - DELTA_SNAPSHOT / 2) : rounds;
    while (this.#step < whole) this.#messages.push(...messagesOf(this.#step++));
    this.#trim();
    await this.#put(true);
    while (this.#step < rounds) await this.round();
    this.checkpoint();
    this.#db.pragma("synchronous = FULL");
  }

  async turn(): Promise<void> {
    for (let nth = 0; nth < ROUNDS_PER_TURN; nth++) await this.round();
    if (this.#mode === "exit" || this.#mode === "window") await this.#put(true);
  }

  async round(): Promise<void> {
    const added = messagesOf(this.#step++);
    this.#messages.push(...added);
    this.#trim();
    if (this.#mode === "exit" || this.#mode === "window") return;
    await this.#saver.putWrites(this.#config, [["messages", added]], uuid6(this.#step));
    await this.#put(this.#mode === "sync");
  }

  async load(): Promise<number> {
    const newest = { configurable: { thread_id: "c", checkpoint_ns: "" } };
    if (this.#mode === "delta") {
      const { messages } = await this.#saver.getDeltaChannelHistory({ config: newest, channels: ["messages"] });
      return (messages?.writes ?? []).length;
    }
    const messages = (await this.#saver.getTuple(newest))?.checkpoint.channel_values.messages;
    return Array.isArray(messages) ? messages.length : 0;
  }

  checkpoint(): void {
    this.#db.pragma("wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#db.close();
  }

  async #put(withMessages: boolean): Promise<void> {
    const version = this.#step + 1;
    const checkpoint: Checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(this.#step),
      channel_values: withMessages ? { messages: this.#messages } : {},
      channel_versions: { messages: version },
      versions_seen: { agent: { messages: version } },
    };
    this.#config = await this.#saver.put(this.#config, checkpoint, { source: "loop", step: this.#step, parents: {} });
  }

  #trim(): void {
    if (this.#mode !== "window") return;
    const length = (message: BaseMessage) => String(message.content).length;
    let chars = this.#messages.reduce((sum, message) => sum + length(message), 0);
    if (chars <= WINDOW_CHARS) return;
    let from = 0;
    while (chars > WINDOW_CHARS * 0.7) chars -= length(this.#messages[from++] ?? new AIMessage(""));
    this.#messages = this.#messages.slice(from);
  }
}
