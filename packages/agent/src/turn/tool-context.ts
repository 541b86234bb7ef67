/** What a running tool is given. */
import { listPastTurns } from "../tool/past-turns.ts";
import { resolveWithMeta, stateLookups } from "../tool/state-lookups.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { TurnContext } from "./turn-context.ts";

export function toolContext(
  context: TurnContext,
  call: { readonly callId: string; readonly toolId: string },
): ToolContext {
  const { journal, key, store } = context;
  const { state } = journal.timeline;
  return {
    ...stateLookups(state),
    turnId: context.turnId,
    callId: call.callId,
    toolId: call.toolId,
    signal: journal.workSignal,
    workspace: context.workspace,
    now: context.now,
    countTokens: context.countTokens,
    turns: () => listPastTurns(store, key),
    resolve: async (path) => {
      const held = resolveWithMeta(state, path);
      if (held !== null) return held;
      const found = await store.findByPath(key, path);
      return found === null ? null : resolveWithMeta(found.state, path);
    },
    search: async (query, { scope, limit }) => {
      const within = scope === "conversation" ? { conversation: key.conversation } : {};
      return (await store.search(key, query, { limit, ...within })).items;
    },
    progress: (text) => context.listener({ type: "progress", callId: call.callId, text }),
  };
}
