/**
 * Converts calls that need a person to questions (elicitation) to the person at the other program. The key of a
 * question contains the hash of the shown parameters, so an answer counts only for these parameters.
 */
import { CairnError, type JsonObject } from "@cairn/timeline";
import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { approvalQuestion } from "./approval-question.ts";
import type { Approval, Talk } from "./talk.ts";

const FORM = {
  type: "object" as const,
  properties: { approve: { type: "boolean" as const, title: "Approve this call" } },
  required: ["approve"],
};

/**
 * Each question has the call and the hash of its parameters as its key. Calls that are too long for a question wait
 * until the others are answered. Throws `approval_too_long` if only such calls are left.
 */
export function askPerson(
  approvals: readonly Approval[],
  conversation: string,
  requestState: string,
): InputRequiredResult {
  const asked = approvals.flatMap((approval) => {
    const request = requestOf(approval);
    return request === null ? [] : [[keyOf(approval), inputRequired.elicit(request)] as const];
  });
  if (asked.length === 0)
    throw new CairnError(
      "approval_too_long",
      `The parameters of ${approvals.map(({ tool_id }) => tool_id).join(", ")} are too long to approve here. Use the app or: cairn chat -c ${conversation}`,
      { conversation },
    );
  return inputRequired({ inputRequests: Object.fromEntries(asked), requestState });
}

/**
 * Passes the person's answers on, and returns which calls were approved and which refused. Only a clear yes approves. A
 * person who declines or closes the question refuses the call.
 */
export async function passAnswers(
  { decide }: Pick<Talk, "decide">,
  approvals: readonly Approval[],
  { mcpReq: { inputResponses } }: ServerContext,
): Promise<Readonly<Record<string, boolean>>> {
  const consent: Record<string, boolean> = {};
  for (const approval of approvals) {
    const given = inputResponse(inputResponses, keyOf(approval));
    if (given.kind !== "elicit" || requestOf(approval) === null) continue;
    const { action, content = {} } = given;
    const isAccepted = action === "accept";
    const isQuestion = approval.question !== undefined && approval.client !== true;
    const approve = approval.client !== true && isAccepted && (isQuestion || content.approve === true);
    const answer = isQuestion ? { answer: content as JsonObject, dismiss: action === "cancel" } : {};
    await decide(approval, { approve, ...answer });
    consent[approval.call_id] = approve;
  }
  return consent;
}

/**
 * Passes on a call's own question unchanged. If the person must visit a page, the message has its address. A call that
 * a client runs can only be refused here. Null if the question is too long.
 */
function requestOf({ tool_id, params, question, client }: Approval): ElicitRequestFormParams | null {
  if (client === true)
    return {
      message: `The call of ${tool_id} waits for its client and cannot be run here. Any answer refuses it.`,
      requestedSchema: { type: "object", properties: {} },
    };
  if (question === undefined) {
    const message = approvalQuestion(tool_id, params);
    return message === null ? null : { message, requestedSchema: FORM };
  }
  const { message, form = { type: "object", properties: {} }, url } = question;
  const requestedSchema = form as ElicitRequestFormParams["requestedSchema"];
  return { message: url === undefined ? message : `${message}\nVisit: ${url}`, requestedSchema };
}

function keyOf({ call_id, hash }: Approval): string {
  return `${call_id}.${hash ?? ""}`;
}
