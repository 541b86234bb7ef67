/** A person's answer to a call, as the journal takes it. */
import type { CallAnswer } from "../turns/answer-call.ts";
import type { Approval, ApprovalOptions, ClientAnswer, RefusalOptions } from "./run-part.ts";

export function callAnswer(
  { id, hash }: Pick<Approval, "id" | "hash">,
  approve: boolean,
  { remember = false, reason, input, answer, dismiss }: ApprovalOptions & RefusalOptions = {},
): CallAnswer {
  return { call_id: id, approve, hash, remember, reason, params: input, answer, dismiss };
}

export function clientAnswer({ id, hash }: Pick<Approval, "id" | "hash">, answer: ClientAnswer): CallAnswer {
  return { call_id: id, approve: true, hash, remember: false, ...answer };
}
