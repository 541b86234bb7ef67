/** Answers a waiting call: a person approves or refuses it, or answers its question. */
import { answerApproval, checkParams, type Tool } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type EventBody, type Json, type JsonObject, makeEvent } from "@cairn/timeline";
import type { TurnQueue } from "../queue/turn-queue.ts";
import type { WriteRoom } from "../shares/write-room.ts";
import type { Agents } from "./agents.ts";

interface AnswerParts {
  readonly store: ConversationStore;
  /** The queue, to which the conversation is added. */
  readonly queue: Pick<TurnQueue, "offer">;
  /** The agents, whose tools check changed parameters; absent if nobody can change parameters. */
  readonly agents?: Agents;
  /** Limits of storage; absent on the command line, which has no limits. */
  readonly room?: Pick<WriteRoom, "reserve">;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
}

export interface CallAnswer {
  readonly call_id: string;
  readonly approve: boolean;
  /** The hash of the request for approval that the person saw; null for a refusal without a hash. */
  readonly hash: string | null;
  /** Whether later calls of the tool in this conversation are approved as well. */
  readonly remember: boolean;
  /** The reason for the decision, which the model reads. */
  readonly reason?: string | undefined;
  /** The parameters to run instead of those that were shown. */
  readonly params?: JsonObject | undefined;
  /** The values of the form, if the call asks a question. */
  readonly answer?: JsonObject | undefined;
  /** Whether the person closed the question without declining it; only for a refusal. */
  readonly dismiss?: boolean | undefined;
  /** The output of a call that the client ran, or why it failed. */
  readonly output?: Json | undefined;
  readonly error?: string | undefined;
}

/**
 * Returns the seq of the answer. Throws `not_found` when no such call waits, `bad_request` for an approval without a
 * hash or a wrong answer, and `conflict` if the person saw other content or the call already has another answer.
 */
export async function answerCall(
  { store, queue, agents, room, now }: AnswerParts,
  key: ConversationKey,
  { call_id, approve, hash, remember, reason, params, answer, dismiss, output, error }: CallAnswer,
): Promise<number> {
  if (!approve && params !== undefined)
    throw new CairnError("bad_request", "A refusal runs nothing. Send it without `params`.", { call_id });
  const { state } = await store.loadOutline(key);
  const asked = state.approvalsRequested.get(call_id);
  if (asked === undefined)
    throw new CairnError("not_found", "No call with this id is waiting for approval.", { call_id });
  if (approve && hash === null && asked.hash !== undefined)
    throw new CairnError("bad_request", "Send the `hash` of the request for approval that was shown.", { call_id });
  if (!answersShown(asked, { approve, hash }))
    throw new CairnError(
      "conflict",
      "The call that waits for approval is not the one that was shown. Show it again, then answer.",
      { call_id },
    );
  if (params !== undefined && agents !== undefined) {
    const { attributes } = await store.getConversation(key);
    checkEdited(agents, state.openTurnChoice.agent ?? attributes.agent, asked, params);
  }
  const given = answerApproval(key, asked, {
    approve,
    remember,
    ts: new Date(now()).toISOString(),
    ...(reason === undefined ? {} : { reason }),
    ...(params === undefined ? {} : { params }),
    ...(answer === undefined ? {} : { answer }),
    ...(dismiss === undefined ? {} : { dismiss }),
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
  });
  if (room !== undefined) await reserveOutput(room, key, output);
  const { seqs } = await store.append(key, [makeEvent("approval.given", given)]);
  await queue.offer(key);
  const [seq = 0] = seqs;
  const event = (await store.readEvents(key, { after: seq - 1, limit: 1 }))[0]?.event;
  const kept = event === undefined || "unknown" in event || event.kind !== "approval.given" ? null : event.body;
  if (kept !== null && !isSameAnswer(kept, given))
    throw new CairnError("conflict", "This call was already answered with a different decision.", { call_id });
  return seq;
}

/** Throws `full` or `storage_full` when there is no space for the output of a call that the client ran. */
export async function reserveOutput(
  room: Pick<WriteRoom, "reserve">,
  key: ConversationKey,
  output: Json | undefined,
): Promise<void> {
  if (output !== undefined) await room.reserve(key, JSON.stringify(output).length);
}

/**
 * Throws `bad_request` for changed parameters that the tool would refuse. Tools that are found for each turn, such as
 * those of MCP servers, check parameters only when the call runs.
 */
function checkEdited(
  agents: Agents,
  name: unknown,
  { call_id, tool_id }: EventBody<"approval.requested">,
  params: JsonObject,
): void {
  const agent = agents.all.find((each) => each.name === name) ?? agents.find(null);
  const tool = agent.tools?.find(({ id }) => id === tool_id);
  const checked = tool === undefined ? { ok: true as const } : checkParams(tool as Tool, params);
  if (!checked.ok) throw new CairnError("bad_request", checked.message, { call_id, field: "params" });
}

function isSameAnswer(kept: EventBody<"approval.given">, given: EventBody<"approval.given">): boolean {
  const said = ({ approve, params_hash, answer, dismissed, output, error }: EventBody<"approval.given">) =>
    JSON.stringify([approve, params_hash, answer, dismissed, output, error]);
  return said(kept) === said(given);
}

/**
 * Whether an answer belongs to the request for approval as it is now. The request of a call can be repeated with other
 * content, so an approval names the hash of the shown content. A refusal runs nothing and needs no hash. A request of
 * an earlier version has no hash; its approval only leads to a new request with the content that will run.
 */
export function answersShown(
  asked: EventBody<"approval.requested">,
  { approve, hash }: { readonly approve: boolean; readonly hash: string | null },
): boolean {
  return hash === null ? !approve || asked.hash === undefined : hash === asked.hash;
}
