/**
 * Rebuilds the body of a past request: the adapter that sent it serialises it again without sending it, and the bytes
 * are compared with the hash in the receipt. The bytes may differ if the renderer, the adapter or the provider's
 * package has changed; the result then gives the reason.
 */
import { createHash } from "node:crypto";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Model, ModelRequest, ToolSpec } from "../model/model.ts";
import { readSettings } from "../model/request-settings.ts";
import { readOutputSchema } from "../output/output-schema.ts";
import { toolsInText } from "../protocol/text-protocol.ts";
import { resolveSpeller } from "../resolve/resolve-model.ts";
import { readBase64 } from "../workspace/read-base64.ts";
import type { PastRequest } from "./past-request.ts";

export interface SpelledRequest {
  /** The body of the HTTP request, as text. */
  readonly body: string;
  /** Whether these are the bytes that were sent; null when the receipt has no hash. */
  readonly same: boolean | null;
  /** Why the bytes may differ from the sent ones, in words for people; null when they are equal. */
  readonly difference: string | null;
}

/** The model that serialises a past request: the given model that the receipt names, or else one of the registry. */
export async function spellerOf({ n, model }: PastRequest, atHand: readonly Model[]): Promise<Model> {
  const own = atHand.find(({ id, spell }) => id === model && spell !== undefined);
  if (own !== undefined) return own;
  try {
    return await resolveSpeller(model ?? "");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError(
      "cannot_be_spelled",
      `The body of request ${n} cannot be rebuilt as it was sent to ${model ?? "its model"}: ${why} Its text can still be shown.`,
      { n, model },
    );
  }
}

/** Throws `not_sent` for a request that was never sent, `cannot_be_spelled` for a model that does not support it. */
export async function spellRequest(
  store: ConversationStore,
  key: ConversationKey,
  past: PastRequest,
  model: Model,
): Promise<SpelledRequest> {
  const { sent } = past.record;
  if (sent === null)
    throw new CairnError(
      "not_sent",
      `Request ${past.n} was not sent over a network: ${past.model ?? "its model"} runs in this process.`,
      { n: past.n },
    );
  if (model.spell === undefined)
    throw new CairnError("cannot_be_spelled", `${model.id} does not support showing the body of a request.`, {
      model: model.id,
    });
  const tools = JSON.parse(past.tools) as ToolSpec[];
  const { body, speller } = await model.spell({
    system: past.system,
    tools,
    ...(sent.in_text === undefined ? {} : { inText: toolsInText(tools, sent.in_text) }),
    view: past.view,
    strategy: sent.strategy,
    ttl: sent.ttl,
    cacheKey: sent.cache_key,
    maxOutputTokens: sent.max_output_tokens,
    ...(sent.tool_choice === "auto" ? {} : { toolChoice: sent.tool_choice }),
    ...(sent.settings === undefined ? {} : { settings: readSettings(sent.settings) }),
    ...(sent.instruction === undefined ? {} : { instruction: sent.instruction }),
    ...(sent.describes === undefined ? {} : { describes: sent.describes }),
    ...outputOf(past, sent.output),
    sentAs: {
      lowering: sent.lowering,
      reasoning: sent.reasoning !== undefined,
      reasoningRules: sent.reasoning_rules ?? 1,
    },
    readBlob: (ref) => readBase64(store.readBlob(key, ref)),
  });
  if (sent.sha256 === null) return { body, same: null, difference: "its receipt has no hash of what was sent" };
  const same = createHash("sha256").update(body).digest("hex") === sent.sha256;
  return { body, same, difference: same ? null : whyDifferent(past, sent.speller, speller) };
}

/** The schema of structured output. A schema that was not sent is left out, so that the rebuilt bytes differ. */
function outputOf({ state }: PastRequest, hash: string | undefined): Pick<ModelRequest, "output"> {
  const given = state.openTurnChoice.output;
  if (hash === undefined || given === undefined) return {};
  const { schema, hash: own } = readOutputSchema(given);
  return own === hash ? { output: { schema, hash } } : {};
}

function whyDifferent({ check }: PastRequest, sentBy: string, spelledBy: string): string {
  if (!check.same)
    return check.rendererChanged ? "the renderer has changed since then" : "the stored data differs from what was sent";
  if (sentBy !== spelledBy) return `it was serialised by ${sentBy}, and now by ${spelledBy}`;
  return "the model's adapter or settings have changed since then";
}
