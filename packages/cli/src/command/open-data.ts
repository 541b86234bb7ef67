/** Opens the data of a command: the store and its scope. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConversationKey, Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { LOCAL_SCOPE, loadSettings, type OpenedStore, openStore, type Settings } from "cairn-agent/process";
import type { Terminal } from "./terminal.ts";

export interface Data extends AsyncDisposable {
  readonly settings: Settings;
  readonly store: OpenedStore;
}

export async function openData(terminal: Terminal, options: { readonly create?: boolean } = {}): Promise<Data> {
  const settings = await loadSettings(terminal);
  if (options.create !== true && !hasData(settings))
    throw new CairnError(
      "not_found",
      `There are no conversations in ${settings.dataDir} yet. Start one with: cairn chat`,
    );
  const store = await openStore(settings);
  return { settings, store, [Symbol.asyncDispose]: () => store.close() };
}

/** A database is checked when it is opened. */
export function hasData({ dataDir, database }: Settings): boolean {
  return database !== null || existsSync(join(dataDir, "cairn.db"));
}

export function scopeOf({ scope = LOCAL_SCOPE }: Terminal): Scope {
  return scope;
}

export function keyOf(terminal: Terminal, conversation: string): ConversationKey {
  return { ...scopeOf(terminal), conversation };
}
