/**
 * The hash that binds an approval to its content.
 *
 * A person approves exactly this call of this conversation with exactly these parameters. The request for approval has
 * their hash, and the answer repeats it. The call runs only if both equal the hash of its parameters at that time. An
 * approval that a fork or an import took from another conversation has a different hash. If the approver changes the
 * parameters, the answer contains the new parameters and their hash, and the call runs with them.
 */
import { createHash } from "node:crypto";
import type { ConversationKey } from "@cairn/store";
import { CairnError, type EventBody, type Json, type JsonObject, type Question } from "@cairn/timeline";
import { checkAnswer } from "./question.ts";

export interface ConsentSubject {
  readonly turnId: string;
  readonly callId: string;
  readonly toolId: string;
  /** The parameters, with every reference replaced by its value. */
  readonly params: unknown;
}

export function consentHash(key: ConversationKey, { turnId, callId, toolId, params }: ConsentSubject): string {
  return hashOf(["call", ...partsOf(key), turnId, callId, toolId, params]);
}

export interface QuestionSubject extends Omit<ConsentSubject, "params"> {
  readonly question: Question;
  /** A number that differs for each question of a call. Requests of earlier versions have no such number. */
  readonly asking?: number | undefined;
}

/** The hash that binds an answer to a question of a call. A call may ask the same question twice. */
export function questionHash(
  key: ConversationKey,
  { turnId, callId, toolId, question, asking }: QuestionSubject,
): string {
  const number = asking === undefined ? [] : [asking];
  return hashOf(["question", ...partsOf(key), turnId, callId, toolId, question, ...number]);
}

/** The hash that approves a tool for the rest of a conversation. */
export function grantHash(key: ConversationKey, toolId: string): string {
  return hashOf(["tool", ...partsOf(key), toolId]);
}

export interface ConsentAnswer {
  readonly approve: boolean;
  /** Whether later calls of the tool in this conversation are approved as well. */
  readonly remember?: boolean;
  /** The reason for the decision, which the model reads. */
  readonly reason?: string;
  /** The parameters that the approver put in place of the shown ones. */
  readonly params?: JsonObject;
  /** The values of a question's form. */
  readonly answer?: JsonObject;
  /** Whether the person closed the question without declining it; only for a refusal. */
  readonly dismiss?: boolean;
  /** The output of a call that the client ran, or the reason why the call failed. */
  readonly output?: Json;
  readonly error?: string;
  readonly ts: string;
}

/** Maximum length of an output, the same as for the result of any call. */
const MAX_OUTPUT_LENGTH = 4_000_000;

/** Only the answer to a call that the client runs has an output or an error, and it must have one of them. */
function checkClientAnswer(
  { call_id, client }: EventBody<"approval.requested">,
  { approve, params, output, error }: ConsentAnswer,
): void {
  const isAnswered = output !== undefined || error !== undefined;
  if (client !== true && isAnswered)
    throw new CairnError("bad_request", "The server runs this call, so it takes no output.", { call_id });
  if (client === true && approve !== isAnswered)
    throw new CairnError(
      "bad_request",
      "The client runs this call. Answer it with its `output` or `error`, or refuse it.",
      {
        call_id,
      },
    );
  if (client === true && params !== undefined)
    throw new CairnError("bad_request", "The client runs this call. Send its `output` without `params`.", { call_id });
  const length = output === undefined ? 0 : JSON.stringify(output).length;
  if (length > MAX_OUTPUT_LENGTH)
    throw new CairnError(
      "too_large",
      `The output has ${length} characters; at most ${MAX_OUTPUT_LENGTH} are accepted.`,
      {
        limit: MAX_OUTPUT_LENGTH,
      },
    );
}

/**
 * The event that answers a request for approval, a question, or a call of the client. Its key belongs to the request, so
 * only the first answer counts. Throws `bad_request` for an answer of the wrong kind or form.
 */
export function answerApproval(
  key: ConversationKey,
  asked: EventBody<"approval.requested">,
  said: ConsentAnswer,
): EventBody<"approval.given"> {
  checkClientAnswer(asked, said);
  const { approve, remember = false, reason, params, answer, dismiss = false, output, error, ts } = said;
  const { call_id, hash, tool_id, question, client } = asked;
  if (question !== undefined && params !== undefined)
    throw new CairnError("bad_request", "The call asks a question. Send an `answer`, without `params`.", { call_id });
  if (approve && question !== undefined && answer === undefined)
    throw new CairnError("bad_request", "The call asks a question. Send an `answer`; it may be empty.", { call_id });
  const answered = approve && question !== undefined ? { answer: checkAnswer(question, answer ?? {}) } : {};
  // Whether the answer approves a call. An output does not, so callers that may not approve can send it.
  const isApproval = approve && question === undefined && client !== true;
  const grant = isApproval && remember && typeof tool_id === "string" ? { grant: grantHash(key, tool_id) } : {};
  const named = hash === undefined ? {} : { hash };
  return {
    key: `approval-${call_id}${hash === undefined ? "" : `-${hash}`}`,
    call_id,
    approve,
    ts,
    ...named,
    ...grant,
    ...answered,
    ...(dismiss && !approve ? { dismissed: true } : {}),
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined || reason.trim() === "" ? {} : { reason: reason.trim() }),
    ...(approve && params !== undefined
      ? { params, params_hash: consentHash(key, { ...subjectOf(asked), params }) }
      : {}),
  };
}

/**
 * The parameters that an approver put in place of those that were shown; null if there are none. Throws
 * `approval_invalid` when they are not bound to this call of this conversation.
 */
export function editedParams(
  key: ConversationKey,
  asked: EventBody<"approval.requested">,
  { params, params_hash }: EventBody<"approval.given">,
): JsonObject | null {
  if (params === undefined) return null;
  if (params_hash === consentHash(key, { ...subjectOf(asked), params })) return params;
  throw new CairnError("approval_invalid", "The changed parameters do not belong to this request for approval.");
}

function subjectOf({ call_id, tool_id, turn_id }: EventBody<"approval.requested">): Omit<ConsentSubject, "params"> {
  const textOf = (value: unknown) => (typeof value === "string" ? value : "");
  return { turnId: textOf(turn_id), callId: call_id, toolId: textOf(tool_id) };
}

function partsOf({ tenant, project, user, conversation }: ConversationKey): string[] {
  return [tenant, project, user, conversation];
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts, inOrder)).digest("hex");
}

/** Sorts keys, so that the hash does not depend on their order. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
