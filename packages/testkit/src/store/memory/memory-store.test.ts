import { blobStoreSuite } from "../suite/blob-store-suite.ts";
import { conversationStoreSuite } from "../suite/conversation-store-suite.ts";
import { MemoryStore } from "./memory-store.ts";

let folders = 0;

conversationStoreSuite("the reference store", async (clock) => {
  const store = new MemoryStore(clock);
  return {
    store,
    another: async (other) => store.another(other),
    newFolder: () => `memory:${++folders}`,
    openBackup: async (folder) => MemoryStore.openBackup(folder, clock),
    dispose: () => store.close(),
  };
});

blobStoreSuite("the reference store", async () => {
  const store = new MemoryStore({ now: () => 0 });
  return { blobs: store.blobs, dispose: () => store.close() };
});
