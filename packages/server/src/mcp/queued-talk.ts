/** A conversation whose turns the server's queue runs. */
import type { ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { answerCall, type CairnParts, Conversation, cancelTurn, findRunning, findTurn, Run } from "cairn-agent/turns";
import { type Caller, checkMayApprove } from "../auth/caller.ts";
import type { Talk } from "./talk.ts";

export interface TalkOptions {
  readonly agent: string | undefined;
  readonly caller: Caller | undefined;
}

export function queuedTalk(parts: CairnParts, key: ConversationKey, { agent, caller }: TalkOptions): Talk {
  const { store } = parts;

  /** Finds the turn that waits to begin, is open, or has ended; null if there is none. */
  async function runOf(turn: string | null, signal: AbortSignal): Promise<Run | null> {
    const running = await findRunning(store, key);
    if (running !== null && (turn === null || turn === running.turnId))
      return new Run({ ...parts, key }, { ...running, signal });
    if (turn === null) return null;
    const { opened } = await findTurn(store, key, turn);
    return new Run({ ...parts, key }, { turnId: turn, message: null, from: opened - 1, signal });
  }

  return {
    send: async (message) => {
      const context = caller?.context;
      const known = { ...(agent === undefined ? {} : { agent }), ...(context === undefined ? {} : { context }) };
      return (await new Conversation({ ...parts, key }, known).send(message)).id;
    },
    follow: async (turn, onCall, signal) => {
      const run = await runOf(turn, signal);
      if (run === null) return { status: "ended", turn };
      const reported = new Set<string>();
      try {
        for await (const part of run) {
          if (part.type !== "tool" || reported.has(part.id)) continue;
          reported.add(part.id);
          onCall(part.name);
        }
        const isWaiting = await run.result.then(({ exit }) => exit === "waiting", unlessFailed);
        return { status: isWaiting ? "waiting" : "ended", turn: run.id };
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new CairnError("client_gone", "The client cancelled the call or disconnected.", { turn: run.id });
      }
    },
    decide: async (approval, given) => {
      checkMayApprove(caller, approval, given.approve);
      const { call_id, hash } = approval;
      await answerCall(parts, key, { call_id, hash: hash ?? null, remember: false, ...given });
    },
    cancel: async (turn) => {
      await cancelTurn(parts, key, turn ?? undefined);
    },
  };
}

/** A turn that failed gives an error. The turn's answer contains the reason. */
function unlessFailed(error: unknown): false {
  if (!CairnError.is(error) || error.details.turn === undefined || error.code === "closed") throw error;
  return false;
}
