/** A conversation stored in PostgreSQL. Each round is durable before the next one begins. */
import { openClusterStore } from "@cairn/store/cluster";
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
  // Only the measurement of other writes needs durability, so these writes may be lost if the server dies.
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
