/**
 * The same conversation kept in PostgreSQL by the store and by the LangGraph JS checkpointer (`durability: "sync"`), each
 * round durable before the next.
 */
import { openClusterStore } from "@cairn/store/cluster";
import { openPool, warnOfLoss } from "@cairn/store/postgres";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { messagesOf } from "../store/checkpointer.ts";
import { ConversationScript } from "../store/conversation-script.ts";

export interface Subject {
  /** Adds rounds until the conversation has this many; this part is not measured. */
  readonly growTo: (rounds: number) => Promise<void>;
  readonly round: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const KEY = { tenant: "bench", project: "p", user: "u", conversation: "c" };

export async function openCairn(database: string, blobs: string): Promise<Subject> {
  const store = await openClusterStore({ database, blobs });
  // The measurement uses other writes: this one may lose the last moments if the server dies.
  const hurried = await openClusterStore({ database: `${database}?options=-c%20synchronous_commit%3Doff`, blobs });
  await store.createConversation(KEY);
  const { token } = await store.acquireLease(KEY, "bench", 86_400_000);
  const script = new ConversationScript();
  let expectedSeq = 0;
  let rounds = 0;
  const append = async (to: typeof store) => {
    expectedSeq = (await to.append(KEY, script.next(), { lease: { token, expectedSeq } })).lastTimelineSeq;
    rounds++;
  };
  return {
    round: () => append(store),
    growTo: async (wanted) => {
      while (rounds < wanted) await append(hurried);
    },
    close: async () => {
      await hurried.close();
      await store.close();
    },
  };
}

export async function openCheckpointer(database: string): Promise<Subject> {
  // Not `fromConnString`: its pool has no listener for connections that are lost, which ends the process.
  const { pool, end } = openPool({ connectionString: database }, warnOfLoss);
  const saver = new PostgresSaver(pool);
  await saver.setup();
  const messages: unknown[] = [];
  let step = 0;
  let config: RunnableConfig = { configurable: { thread_id: "c", checkpoint_ns: "" } };
  const put = async () => {
    const channel_versions = { messages: step + 1 };
    const checkpoint: Checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(step),
      channel_values: { messages },
      channel_versions,
      versions_seen: { agent: channel_versions },
    };
    config = await saver.put(config, checkpoint, { source: "loop", step, parents: {} }, channel_versions);
  };
  return {
    growTo: async (wanted) => {
      while (step < wanted) messages.push(...messagesOf(step++));
      await put();
    },
    round: async () => {
      const added = messagesOf(step++);
      messages.push(...added);
      await saver.putWrites(config, [["messages", added]], uuid6(step));
      await put();
    },
    close: end,
  };
}
