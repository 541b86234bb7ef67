/** The conversation stored in PostgreSQL by the LangGraph JS checkpointer (`durability: "sync"`). */
import { openPool, warnOfLoss } from "@cairn/store/postgres";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type Checkpoint, emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { Subject } from "../cluster/stored-subjects.ts";
import { messagesOf } from "./messages-of.ts";

export async function openCheckpointer(database: string): Promise<Subject> {
  // `fromConnString` is not used: its pool has no listener for lost connections, so a lost connection ends the process.
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
