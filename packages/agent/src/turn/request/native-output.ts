/**
 * Whether the provider is asked to make the answer match the schema of the message.
 *
 * Every provider puts this schema before the messages, so a new schema makes the cached conversation unusable. So the
 * schema is sent only in the first request, and after a request with the same schema. In all other cases the model
 * gives its output with a tool (`protocol/protocol-tools.ts`), which does not change the prefix.
 */
import type { ModelRequest } from "../../model/model.ts";
import type { ToolChoice } from "../../model/request-settings.ts";
import { protocolOf } from "../../protocol/protocol-of.ts";
import { readRequestRecord } from "../../receipt/request-record.ts";
import type { RequestContext } from "../state/turn-context.ts";

export function nativeOutput(
  { agent, journal, output, progress }: RequestContext,
  toolChoice: ToolChoice = "auto",
): Pick<ModelRequest, "output"> {
  // The schema is not sent for the rest of an unfinished answer, and not for a forced call: neither is a whole value.
  const isAnswer = progress.unfinished === null && (toolChoice === "auto" || toolChoice === "none");
  // A model that calls tools in text could not call them in an answer that must match the schema.
  if (output === null || !isAnswer || protocolOf(agent).name === "text") return {};
  if (agent.model.takesOutput?.(output.schema) !== true) return {};
  const { lastReceipt } = journal.timeline.state;
  const isFree = lastReceipt === null || readRequestRecord(lastReceipt).sent?.output === output.hash;
  return isFree ? { output: { schema: output.schema, hash: output.hash } } : {};
}
