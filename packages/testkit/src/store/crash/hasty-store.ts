/** A store that acknowledges before it has written, which the crash harness must detect. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ConversationStore, openEmbeddedStore } from "@cairn/store";

export async function openHastyStore(options: { readonly dir: string }): Promise<ConversationStore> {
  const store = await openEmbeddedStore(options);
  const load: typeof store.load = store.load.bind(store);
  const append: typeof store.append = store.append.bind(store);
  let lastSeq = 0;
  let writing: Promise<unknown> = Promise.resolve();
  store.load = async (key, callOptions) => {
    const loaded = await load(key, callOptions);
    lastSeq = loaded.seq;
    return loaded;
  };
  store.append = async (key, events, callOptions) => {
    const seqs = events.map(() => ++lastSeq);
    writing = writing.then(() => sleep(8)).then(() => append(key, events, callOptions));
    // The last event of a batch of the crash writer is an input, so the last timeline event is the one before it.
    return { seqs, lastSeq, lastTimelineSeq: lastSeq - 1 };
  };
  store.fork = () => sleep(5, { conversation: "" } as never);
  return store;
}
