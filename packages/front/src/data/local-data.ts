/** The default scope of a data folder, and the folders of conversations in it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type ConversationKey, type Scope, scopeKey } from "@cairn/store";

/** The scope of the only user of a local data folder. */
export const LOCAL_SCOPE: Scope = { tenant: "local", project: "default", user: "me" };

/** The folder of working folders, in the data folder. */
export const WORKSPACES = "workspaces";

/** OUT_DIR of a conversation. Its name is a hash for another scope, and for an id that is no plain file name. */
export function workspaceFolder(dataDir: string, key: ConversationKey): string {
  const { conversation, ...scope } = key;
  const isLocal = scopeKey(scope) === scopeKey(LOCAL_SCOPE);
  if (isLocal && /^[a-z0-9_][a-z0-9_.-]{0,99}$/.test(conversation)) return join(dataDir, WORKSPACES, conversation);
  const name = createHash("sha256")
    .update(isLocal ? conversation : scopeKey(key))
    .digest("hex");
  return join(dataDir, WORKSPACES, name);
}
