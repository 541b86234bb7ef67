/**
 * The same conversation kept by the LangGraph JS SQLite checkpointer, driven the way LangGraph's loop drives it: a
 * checkpoint names its parent, and what a step wrote is put beside the checkpoint it started from.
 *
 * A round is one step with two messages, a call and its result; LangGraph's own agent takes two steps for that. The
 * messages are made in memory, so that a long conversation need not be written from its beginning.
 */
import { join } from "node:path";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { AdaptedDatabase, asSaverDatabase } from "./better-sqlite-adapter.ts";
import { ROUNDS_PER_TURN, roundText, WINDOW_CHARS } from "./conversation-script.ts";

/**
 * How LangGraph is told to keep the messages.
 * - `exit`: `durability: "exit"`, documented as the fastest: one checkpoint when a turn ends; a crash loses the turn.
 * - `sync`: `durability: "sync"`, every round durable before the next, as the store's are.
 * - `window`: as `exit`, with old messages removed from the state to fit the window; they are only in older checkpoints.
 * - `delta`: as `sync`, the messages in a `DeltaChannel` (beta): each step writes its own messages only, and a load walks
 *   back over up to 1,000 checkpoints. The whole state written once in 1,000 steps is left out of its figures.
 */
export const CHECKPOINTER_MODES = ["exit", "sync", "window", "delta"] as const;
export type CheckpointerMode = (typeof CHECKPOINTER_MODES)[number];

/** Steps from one whole state to the next in a `DeltaChannel`, its default. */
const DELTA_SNAPSHOT = 1_000;

export class CheckpointedConversation {
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

  /** Brings the conversation to this many rounds: the state in memory and one checkpoint of it; deltas step by step. */
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

export function messagesOf(round: number): [AIMessage, ToolMessage] {
  const { call, notes, params, result, file } = roundText(round);
  const tool_calls = [{ id: call, name: "web_tools.web_fetch", args: { params }, type: "tool_call" as const }];
  return [
    new AIMessage({ id: `${call}a`, content: notes, tool_calls }),
    new ToolMessage({ id: `${call}t`, content: `${result}\n${file}`, tool_call_id: call }),
  ];
}
