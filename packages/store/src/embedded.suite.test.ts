import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobStoreSuite, conversationStoreSuite } from "@cairn/testkit/store";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";

conversationStoreSuite("the embedded store", async (clock) => {
  const root = mkdtempSync(join(tmpdir(), "cairn-suite-"));
  const opened: EmbeddedStore[] = [];
  let folders = 0;
  const open = async (dir: string, itsClock = clock) => {
    const store = await openEmbeddedStore({ dir, clock: itsClock, pollMs: 2 });
    opened.push(store);
    return store;
  };
  return {
    store: await open(join(root, "data")),
    another: (itsClock) => open(join(root, "data"), itsClock),
    newFolder: () => join(root, `backup ${++folders}`),
    openBackup: (folder) => open(folder),
    dispose: async () => {
      for (const store of opened) await store.close();
      rmSync(root, { recursive: true });
    },
  };
});

blobStoreSuite("the embedded store", async () => {
  const dir = mkdtempSync(join(tmpdir(), "cairn-suite-"));
  const store = await openEmbeddedStore({ dir });
  return {
    blobs: store.blobs,
    dispose: async () => {
      await store.close();
      rmSync(dir, { recursive: true });
    },
  };
});
