/** Makes the context object that a running tool gets. */
import type { Artifact, TimelineState } from "@cairn/timeline";
import { withAnnounced } from "../../react/internal-writes.ts";
import { listPastTurns, listTurnsElsewhere } from "../../tool/past-turns.ts";
import { searchPast } from "../../tool/search-past.ts";
import { sourcesSeen } from "../../tool/sources-seen.ts";
import { resolveWithMeta, stateLookups } from "../../tool/state-lookups.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { TurnContext } from "../state/turn-context.ts";

export function toolContext(
  context: TurnContext,
  call: { readonly callId: string; readonly toolId: string; readonly sourcesKnown?: number | undefined },
): ToolContext {
  const { journal, key, store } = context;
  const { state } = journal.timeline;
  const signal = journal.workSignal;
  return {
    ...stateLookups(state),
    sourcesSeen: sourcesSeen(state.pool, call.sourcesKnown),
    owner: context.caller.scope,
    conversation: key.conversation,
    context: context.caller.context,
    turnId: context.turnId,
    callId: call.callId,
    toolId: call.toolId,
    signal,
    workspace: context.workspace,
    now: context.now,
    countTokens: context.countTokens,
    turns: () => listPastTurns(store, key, signal),
    turnsElsewhere: (since) => listTurnsElsewhere(store, key, { since, signal }),
    resolve: async (path) => {
      const held = resolveWithMeta(state, path);
      const found = held === null || isOnlyReadBack(state, held) ? await store.findByPath(key, path) : null;
      const artifact = found === null ? held : resolveWithMeta(found.state, path);
      return artifact === null ? null : withAnnounced(context.workspace, artifact);
    },
    search: (query, options) => searchPast(store, key, query, { ...options, signal }),
    progress: (text) => context.listener({ type: "progress", callId: call.callId, text }),
  };
}

/** Whether the content is in the window only because a read showed it, and maybe only some of its lines. */
function isOnlyReadBack(state: TimelineState, { path }: Artifact): boolean {
  const entries = state.atPath(path);
  return entries.length > 0 && entries.every(({ version }) => version === 0);
}
