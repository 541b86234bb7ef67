/** A conversation whose turns run in this process, one after the other. */
import type { AgentDefinition, TurnListener } from "@cairn/agent";
import type { Talk } from "@cairn/server/mcp";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type CountTokens, nullIfNotFound } from "@cairn/timeline";
import type { Admission } from "../chat/conversation/admission.ts";
import { Conversation } from "../chat/conversation/conversation.ts";

export interface LocalTalkParts {
  readonly store: ConversationStore;
  readonly agent: AgentDefinition;
  readonly admission: Admission;
  readonly countTokens: CountTokens;
}

/** `folder`: OUT_DIR of the conversation. */
export function localTalk(parts: LocalTalkParts, key: ConversationKey, folder: string): Talk {
  const hold = async (listener: TurnListener = () => undefined): Promise<Conversation> => {
    const known = await parts.store.getConversation(key).catch(nullIfNotFound);
    return new Conversation({ ...parts, key, folder, listener, onWait: () => undefined }, known !== null);
  };
  return {
    // Returns no turn id, because the id is made when the turn runs.
    send: async (message) => {
      await (await hold()).send(message, []);
      return null;
    },
    follow: async (turn, onCall) => {
      const held = await hold(callsIn(onCall));
      for (let last = turn; ; ) {
        // Runs a named turn only if it is open. Waiting messages belong to other turns.
        if (turn !== null && (await parts.store.loadOutline(key)).state.openTurn !== turn)
          return { status: "ended", turn };
        const outcome = await held.runNext();
        if (outcome.status === "waiting") return { status: "waiting", turn: outcome.turnId };
        if (outcome.status === "idle") return { status: "ended", turn: last };
        last = outcome.turnId;
      }
    },
    decide: async (approval, given) => (await hold()).decide(approval, given),
    cancel: async () => (await hold()).cancel(),
  };
}

function callsIn(onCall: (tool: string) => void): TurnListener {
  return (signal) => {
    if (signal.type !== "events") return;
    for (const event of signal.events)
      if (!("unknown" in event) && event.kind === "call.started") onCall(event.body.tool_id ?? "a tool");
  };
}
