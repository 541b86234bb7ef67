/** A model whose requests become spans, named by the conventions for generative models. */
import type { Model, ModelPart } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import { type Attributes, type Context, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { Instruments } from "./instruments.ts";

/** Provider names in the conventions, where they differ from the beginning of the model's id. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: "gcp.gemini", bedrock: "aws.bedrock" };

/** Reasons that have another name in the conventions. */
const FINISH_REASONS: Readonly<Record<string, string>> = { calls: "tool_call", refusal: "content_filter" };

/** The attribute of the current conventions, and the attribute of earlier ones. */
export function namesOfProvider(model: Model): Attributes {
  const [provider = ""] = model.id.split(":", 1);
  const name = PROVIDER_NAMES[provider] ?? provider;
  return { "gen_ai.provider.name": name, "gen_ai.system": name };
}

export function watchModel(
  model: Model,
  tracer: Tracer,
  context: Context,
  { modelSeconds, modelTokens }: Instruments,
  more: Attributes,
): Model {
  const name = model.id.slice(model.id.indexOf(":") + 1);
  const labels = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": name,
    ...namesOfProvider(model),
  };

  async function* stream(...asked: Parameters<Model["stream"]>): AsyncGenerator<ModelPart> {
    const started = performance.now();
    const attributes = { ...labels, ...more, "gen_ai.request.max_tokens": asked[0].maxOutputTokens };
    const span = tracer.startSpan(`chat ${name}`, { kind: SpanKind.CLIENT, attributes }, context);
    let failure: Attributes = {};
    try {
      for await (const part of model.stream(...asked)) {
        if (part.type === "finish") {
          const { input, output, cacheRead, cacheWrite } = part.usage;
          span.setAttributes({
            "gen_ai.response.finish_reasons": [FINISH_REASONS[part.reason] ?? part.reason],
            "gen_ai.response.model": part.response?.model ?? name,
            ...(part.response?.id === undefined ? {} : { "gen_ai.response.id": part.response.id }),
            "gen_ai.usage.input_tokens": input,
            "gen_ai.usage.output_tokens": output,
            // The names that earlier versions of the conventions gave to the token counts.
            "gen_ai.usage.prompt_tokens": input,
            "gen_ai.usage.completion_tokens": output,
            "gen_ai.usage.cache_read.input_tokens": cacheRead,
            "gen_ai.usage.cache_creation.input_tokens": cacheWrite,
          });
          modelTokens.record(input, { ...labels, "gen_ai.token.type": "input" });
          modelTokens.record(output, { ...labels, "gen_ai.token.type": "output" });
        }
        yield part;
      }
    } catch (error) {
      // A provider's error message may repeat the request, so only the kind of the error is recorded.
      failure = { "error.type": CairnError.is(error) ? error.code : "unknown" };
      span.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
      modelSeconds.record((performance.now() - started) / 1_000, { ...labels, ...failure });
    }
  }

  const { id, contextTokens, maxOutputTokens, prices } = model;
  const spell = model.spell?.bind(model);
  return {
    id,
    provider: model.provider,
    contextTokens,
    maxOutputTokens,
    stream,
    ...(prices === undefined ? {} : { prices }),
    ...(spell === undefined ? {} : { spell }),
  };
}
