/** A request that is planned: everything that is sent to the model, and our count of it. */
import type { RequestTokens } from "@cairn/timeline";
import { cacheStrategy } from "../../definition/agent-memory.ts";
import type { ModelRequest } from "../../model/model.ts";
import type { ToolChoice } from "../../model/request-settings.ts";
import type { OfferedTools } from "../../protocol/decision-protocol.ts";
import { protocolOf } from "../../protocol/protocol-of.ts";
import type { RequestRecord } from "../../receipt/request-record.ts";
import { readBase64 } from "../../workspace/read-base64.ts";
import type { RequestContext } from "../state/turn-context.ts";

export interface PlannedRequest {
  readonly purpose: RequestRecord["purpose"];
  readonly request: ModelRequest;
  readonly tokens: RequestTokens;
}

/** The tools of the turn's requests. They change with the model, because a fallback may call tools in another way. */
export function requestTools({ agent, cacheKey, specs }: RequestContext): OfferedTools {
  return protocolOf(agent).offer(specs, cacheKey);
}

/** Adds what is the same in every request of the turn. */
export function composeRequest(
  context: RequestContext,
  own: Pick<ModelRequest, "view" | "ttl" | "maxOutputTokens" | "toolChoice" | "instruction" | "settings" | "output">,
): ModelRequest {
  const { agent, cacheKey, key, store, progress } = context;
  const offered = requestTools(context);
  const choice = offered.inText === undefined ? null : describeChoice(own.toolChoice ?? own.settings?.toolChoice);
  return {
    ...(choice === null ? {} : { instruction: choice }),
    ...own,
    ...offered,
    system: agent.instructions,
    ...(progress.describes.size === 0 ? {} : { describes: [...progress.describes].sort() }),
    strategy: cacheStrategy(agent),
    cacheKey,
    readBlob: (ref) => readBase64(store.readBlob(key, ref)),
  };
}

/** The choice of a tool in words, for a model that calls tools in text. */
function describeChoice(choice: ToolChoice | undefined): string | null {
  if (choice === undefined || choice === "auto") return null;
  if (choice === "none") return "Do not call a tool now. Answer the user.";
  return choice === "required" ? "Call a tool now." : `Call ${choice.tool} now.`;
}
