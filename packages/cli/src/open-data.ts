/** The data folder: the store in it, and whose conversations they are. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_SCOPE, loadSettings, type Settings } from "@cairn/server/config";
import { type ConversationKey, type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Terminal } from "./terminal.ts";

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
  return { ...LOCAL_SCOPE, conversation };
}
