/** The data folder: the store in it, whose conversations they are, and where the files of a conversation lie. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ConversationKey, type EmbeddedStore, openEmbeddedStore, type Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { loadSettings } from "./config/load-config.ts";
import type { Settings } from "./config/settings.ts";
import type { Terminal } from "./terminal.ts";

/** A data folder of one's own has one user. */
export const SCOPE: Scope = { tenant: "local", project: "default", user: "me" };

export interface Data extends AsyncDisposable {
  readonly settings: Settings;
  readonly store: EmbeddedStore;
}

export async function openData(terminal: Terminal, options: { readonly create?: boolean } = {}): Promise<Data> {
  const settings = await loadSettings(terminal);
  if (options.create !== true && !hasData(settings))
    throw new CairnError("not_found", `There are no conversations in ${settings.dataDir} yet. Begin with: cairn chat`);
  const store = await openEmbeddedStore({ dir: settings.dataDir });
  return { settings, store, [Symbol.asyncDispose]: () => store.close() };
}

export function hasData({ dataDir }: Settings): boolean {
  return existsSync(join(dataDir, "cairn.db"));
}

export function keyOf(conversation: string): ConversationKey {
  return { ...SCOPE, conversation };
}

/** OUT_DIR of a conversation. An id that is no plain name has a folder named by its hash. */
export function workspaceFolder({ dataDir }: Settings, conversation: string): string {
  const isPlain = /^[a-z0-9_][a-z0-9_.-]{0,99}$/.test(conversation);
  const name = isPlain ? conversation : createHash("sha256").update(conversation).digest("hex");
  return join(dataDir, "workspaces", name);
}
