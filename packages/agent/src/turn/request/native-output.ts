/**
 * Whether the provider is asked to make the answer match the schema of the message.
 *
 * Every provider puts that schema before the messages, so a new one costs the cache of the whole conversation. It is
 * sent only where there is nothing to lose: in the first request, and after a request with the same schema. All other
 * output is given by a tool (`protocol/protocol-tools.ts`), which leaves the prefix as it is.
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
  // The rest of a cut-off answer is not a whole value, and a forced call is not an answer.
  const isAnswer = progress.unfinished === null && (toolChoice === "auto" || toolChoice === "none");
  // An answer that must match the schema has no place for calls in text.
  if (output === null || !isAnswer || protocolOf(agent).name === "text") return {};
  if (agent.model.takesOutput?.(output.schema) !== true) return {};
  const { lastReceipt } = journal.timeline.state;
  const isFree = lastReceipt === null || readRequestRecord(lastReceipt).sent?.output === output.hash;
  return isFree ? { output: { schema: output.schema, hash: output.hash } } : {};
}
