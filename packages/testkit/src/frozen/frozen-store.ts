/** The store of a frozen set, opened by the current code on a copy. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { BlobFolder, type ConversationStore, openEmbeddedStore, type StoreMaintenance } from "@cairn/store";
import { openPostgresStore } from "@cairn/store/postgres";
import type { Clock } from "@cairn/timeline";
import { whyNoPostgres } from "../store/servers/postgres-binaries.ts";
import { startPostgres } from "../store/servers/postgres-server.ts";
import type { BackEndId, FrozenSet } from "./frozen-set.ts";
import { writeFolder } from "./pack.ts";
import { loadDatabase } from "./postgres-rows.ts";

export interface OpenedFrozen {
  readonly store: ConversationStore & StoreMaintenance;
  close(): Promise<void>;
}

export interface BackEnd {
  readonly id: BackEndId;
  readonly name: string;
  /** Why the store cannot be opened on this machine; null when it can. */
  readonly missing: string | null;
  /** `folder` is the folder for the copy. The folder is removed with the copy. */
  open(set: FrozenSet, folder: string, clock: Clock): Promise<OpenedFrozen>;
}

export const backEnds: readonly BackEnd[] = [
  {
    id: "sqlite",
    name: "SQLite",
    missing: null,
    open: async (set, folder, clock) => {
      writeFolder(folder, set.filesOf("sqlite"));
      const store = await openEmbeddedStore({ dir: folder, clock });
      const close = async () => {
        await store.close();
        rmSync(folder, { recursive: true, force: true });
      };
      return { store, close };
    },
  },
  {
    id: "postgres",
    name: "PostgreSQL",
    missing: whyNoPostgres(),
    open: async (set, folder, clock) => {
      const files = set.filesOf("postgres");
      writeFolder(folder, new Map([...files].filter(([path]) => path.startsWith("blobs/"))));
      const server = await startPostgres({ sync: false });
      const url = await server.createDatabase();
      await loadDatabase(url, files);
      const store = await openPostgresStore({ url, blobs: new BlobFolder(join(folder, "blobs"), clock), clock });
      const close = async () => {
        await store.close();
        await server.close();
        rmSync(folder, { recursive: true, force: true });
      };
      return { store, close };
    },
  },
];
