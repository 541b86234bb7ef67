/** A request that is planned: everything that is sent to the model, and our count of it. */
import type { RequestTokens } from "@cairn/timeline";
import { cacheStrategy } from "../../definition/agent-memory.ts";
import type { ModelRequest } from "../../model/model.ts";
import type { RequestRecord } from "../../receipt/request-record.ts";
import { readBase64 } from "../../workspace/read-base64.ts";
import type { TurnContext } from "../state/turn-context.ts";

export interface PlannedRequest {
  readonly purpose: RequestRecord["purpose"];
  readonly request: ModelRequest;
  readonly tokens: RequestTokens;
}

/** Adds what is the same in every request of the turn. */
export function composeRequest(
  { agent, cacheKey, key, specs, store, progress }: TurnContext,
  own: Pick<ModelRequest, "view" | "ttl" | "maxOutputTokens" | "toolChoice" | "instruction" | "settings" | "output">,
): ModelRequest {
  return {
    ...own,
    system: agent.instructions,
    tools: specs,
    ...(progress.describes.size === 0 ? {} : { describes: [...progress.describes].sort() }),
    strategy: cacheStrategy(agent),
    cacheKey,
    readBlob: (ref) => readBase64(store.readBlob(key, ref)),
  };
}
