/** A person's answer to a call, as the journal takes it. */
import { CairnError, type Json } from "@cairn/timeline";
import { checkOptions, type OptionKinds } from "../define/check-options.ts";
import type { CallAnswer } from "../turns/answer-call.ts";
import type { Approval, ApprovalOptions, ClientAnswer, RefusalOptions } from "./run-part.ts";

type Asked = Pick<Approval, "id" | "hash">;

const APPROVAL: OptionKinds<ApprovalOptions> = {
  reason: "text",
  answer: "object",
  input: "object",
  remember: "flag",
};

const REFUSAL: OptionKinds<RefusalOptions> = { reason: "text", dismiss: "flag" };

export function approvalOfCall(asked: Asked, options: ApprovalOptions = {}): CallAnswer {
  checkOptions(options, APPROVAL, "`approve`");
  const { remember = false, reason, input, answer } = options;
  return { ...placeOf(asked), approve: true, remember, reason, params: input, answer };
}

export function refusalOfCall(asked: Asked, options: RefusalOptions = {}): CallAnswer {
  checkOptions(options, REFUSAL, "`refuse`");
  return { ...placeOf(asked), approve: false, remember: false, ...options };
}

export function clientAnswer(asked: Asked, answer: ClientAnswer): CallAnswer {
  checkOptions(answer, { output: "any", error: "text" }, "`respond`");
  const given = { ...placeOf(asked), approve: true, remember: false };
  const { output, error } = answer as { readonly output?: unknown; readonly error?: string };
  if (output !== undefined ? error !== undefined : error === undefined && !("output" in answer))
    throw new CairnError("bad_request", "Answer the call either with its `output` or with an `error`.");
  return error === undefined ? { ...given, output: storedOutput(output) } : { ...given, error };
}

function placeOf(asked: Asked): Pick<CallAnswer, "call_id" | "hash"> {
  const { id, hash = null } = asked ?? {};
  if (typeof id === "string") return { call_id: id, hash };
  throw new CairnError("bad_request", "Pass the call that waits: a part of the run, or one of `approvals()`.");
}

/** The output of a function that returns nothing is null, as in the result of a tool. */
function storedOutput(output: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(output) ?? "null") as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_request", `\`output\` cannot be stored as JSON: ${why}`, { field: "output" });
  }
}
