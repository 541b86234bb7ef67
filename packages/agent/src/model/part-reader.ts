/**
 * Converts the SDK's stream parts. Calls are numbered in the order they begin; a provider that does not stream a call's
 * parameters delivers them completely at its end.
 */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@cairn/timeline";
import type { FinishReason, ModelPart, ModelUsage } from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ToolNames } from "./tool-name.ts";

type StartPart = Extract<LanguageModelV4StreamPart, { type: "stream-start" }>;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

interface OpenCall {
  readonly index: number;
  hasParams: boolean;
  /** Converts the parameters to the tool's form; null when they are passed on unchanged. */
  readonly restore: ((params: string) => string) | null;
  /** The call's parameters received so far. They are converted when they are complete. */
  held: string;
}

export class PartReader {
  readonly #names: ToolNames;
  readonly #restores: ReadonlyMap<string, (params: string) => string>;
  readonly #keepsThoughts: boolean;
  readonly #calls = new Map<string, OpenCall>();
  readonly #reasoning = new Map<string, { readonly text: string; readonly options: JsonObject }>();
  #response: { readonly id?: string; readonly model?: string } = {};
  finished = false;

  /**
   * `restores`: converters by tool name. Converted parameters are passed on when complete. Parameters cut off by the
   * output limit are dropped: a continuation could not be converted, so the model is asked to repeat the call.
   * `keepsThoughts`: readable reasoning is kept to be sent back, although nothing seals it.
   */
  constructor(
    names: ToolNames,
    restores: ReadonlyMap<string, (params: string) => string> = new Map(),
    keepsThoughts = false,
  ) {
    this.#names = names;
    this.#restores = restores;
    this.#keepsThoughts = keepsThoughts;
  }

  *read(part: LanguageModelV4StreamPart): Generator<ModelPart> {
    switch (part.type) {
      case "stream-start": {
        const settings = part.warnings.flatMap(describeWarning);
        if (settings.length > 0) yield { type: "left_out", settings };
        return;
      }
      case "response-metadata":
        this.#response = {
          ...(part.id === undefined ? {} : { id: part.id }),
          ...(part.modelId === undefined ? {} : { model: part.modelId }),
        };
        return;
      case "text-delta":
        if (part.delta !== "") yield { type: "text", text: part.delta };
        return;
      case "reasoning-start":
        this.#reasoning.set(part.id, { text: "", options: sealedFields(part.providerMetadata) });
        return;
      case "reasoning-delta":
        this.#addReasoning(part.id, part.delta, part.providerMetadata);
        if (part.delta !== "") yield { type: "thinking", text: part.delta };
        return;
      case "reasoning-end": {
        this.#addReasoning(part.id, "", part.providerMetadata);
        const { text = "", options = {} } = this.#reasoning.get(part.id) ?? {};
        this.#reasoning.delete(part.id);
        const isKept = Object.keys(options).length > 0 || (this.#keepsThoughts && text !== "");
        if (isKept) yield { type: "reasoning", text, options };
        return;
      }
      case "tool-input-start":
        if (part.providerExecuted !== true) yield this.#begin(part.id, part.toolName);
        return;
      case "tool-input-delta": {
        const call = this.#calls.get(part.id);
        if (call === undefined || part.delta === "") return;
        call.hasParams = true;
        if (call.restore === null) yield { type: "params", index: call.index, text: part.delta };
        else call.held += part.delta;
        return;
      }
      case "tool-call": {
        if (part.providerExecuted === true) return;
        if (!this.#calls.has(part.toolCallId)) yield this.#begin(part.toolCallId, part.toolName);
        const call = this.#calls.get(part.toolCallId);
        if (call === undefined) return;
        if (!call.hasParams && part.input !== "") {
          call.hasParams = true;
          if (call.restore === null) yield { type: "params", index: call.index, text: part.input };
          else call.held = part.input;
        }
        if (isJson(call.held)) yield* release(call);
        const options = sealedFields(part.providerMetadata);
        if (Object.keys(options).length > 0) yield { type: "sealed", index: call.index, options };
        return;
      }
      case "finish": {
        const finish = this.#finish(part);
        const isCut = finish.reason === "length" || finish.reason === "pause";
        for (const call of this.#calls.values()) if (!isCut || isJson(call.held)) yield* release(call);
        yield finish;
        return;
      }
      default:
        return; // Sources, files, pings and metadata in the stream are ignored.
    }
  }

  #addReasoning(id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const { text, options } = this.#reasoning.get(id) ?? { text: "", options: {} };
    this.#reasoning.set(id, { text: text + delta, options: mergeSealed(options, sealedFields(metadata)) });
  }

  #begin(id: string, toolName: string): ModelPart {
    const index = this.#calls.size;
    const name = this.#names.fromWire(toolName);
    this.#calls.set(id, { index, hasParams: false, restore: this.#restores.get(name) ?? null, held: "" });
    return { type: "call", index, name };
  }

  #finish({ finishReason, usage }: FinishPart): Extract<ModelPart, { type: "finish" }> {
    if (finishReason.raw === "model_context_window_exceeded")
      throw new ModelError("context_limit", "The answer reached the end of the model's context window.");
    if (finishReason.unified === "interrupted" || finishReason.unified === "error")
      throw new ModelError("transient", "The model's answer ended before it was complete.");
    this.finished = true;
    // Anthropic's package reports `pause_turn` as `stop`.
    const reason = finishReason.raw === "pause_turn" ? "pause" : this.#reason(finishReason.unified);
    const response = Object.keys(this.#response).length === 0 ? {} : { response: this.#response };
    return { type: "finish", reason, usage: usageOf(usage), ...response };
  }

  #reason(unified: FinishPart["finishReason"]["unified"]): FinishReason {
    switch (unified) {
      case "stop":
        // Some servers report `stop` although the answer has calls.
        return this.#calls.size > 0 ? "calls" : "stop";
      case "tool-calls":
        return "calls";
      case "length":
        return "length";
      case "content-filter":
        return "refusal";
      default:
        return "other";
    }
  }
}

/**
 * The fields of a package's metadata that seal reasoning, by the name of the package: Anthropic's signature or redacted
 * data, Bedrock's redacted content, OpenAI's item and encrypted content, Gemini's thought signature. Other metadata is not sent back.
 */
const SEALED = ["signature", "redactedData", "redactedContent", "reasoningEncryptedContent", "thoughtSignature"];

function sealedFields(metadata: SharedV4ProviderMetadata | undefined): JsonObject {
  const sealed: Record<string, JsonObject> = {};
  for (const [name, fields] of Object.entries(metadata ?? {})) {
    // Bedrock's package names the same fields twice.
    if (name === "bedrock" && metadata?.amazonBedrock !== undefined) continue;
    const own = SEALED.flatMap((field) => (typeof fields[field] === "string" ? [[field, fields[field]]] : []));
    // OpenAI's parts of one item belong together, also parts without the encrypted content.
    const item =
      typeof fields.itemId === "string" && "reasoningEncryptedContent" in fields ? [["itemId", fields.itemId]] : [];
    if (own.length + item.length > 0) sealed[name] = Object.fromEntries([...item, ...own]) as JsonObject;
  }
  return sealed;
}

function mergeSealed(first: JsonObject, then: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...first };
  for (const [name, fields] of Object.entries(then))
    merged[name] = { ...(merged[name] as object), ...(fields as object) };
  return merged as JsonObject;
}

/** The settings that a package's warning names. Warnings about tools and prompts are ignored. */
function describeWarning(warning: StartPart["warnings"][number]): string[] {
  if (warning.type !== "unsupported" && warning.type !== "compatibility") return [];
  const name = SETTING_NAMES.get(warning.feature);
  if (name === undefined && !warning.feature.startsWith("providerOptions.")) return [];
  return [`${name ?? warning.feature}${warning.details === undefined ? "" : ` (${warning.details})`}`];
}

const SETTING_NAMES: ReadonlyMap<string, string> = new Map([
  ...[["temperature", "temperature"] as const, ["topP", "top_p"] as const, ["stopSequences", "stop"] as const],
  ...[["seed", "seed"] as const, ["toolChoice", "tool_choice"] as const],
  ["reasoning", "reasoning"] as const,
]);

/** Yields the parameters that were held back, converted to the tool's form. A second call yields nothing. */
function* release(call: OpenCall): Generator<ModelPart> {
  if (call.restore === null || call.held === "") return;
  yield { type: "params", index: call.index, text: call.restore(call.held) };
  call.held = "";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // Invalid parameters are passed on: the code that reads the call reports what is wrong.
  }
}

function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): ModelUsage {
  const cacheRead = inputTokens.cacheRead ?? 0;
  const cacheWrite = inputTokens.cacheWrite ?? 0;
  const cacheWriteLong = longWrites(raw);
  return {
    input: inputTokens.total ?? (inputTokens.noCache ?? 0) + cacheRead + cacheWrite,
    output: outputTokens.total ?? (outputTokens.text ?? 0) + (outputTokens.reasoning ?? 0),
    cacheRead,
    cacheWrite,
    ...(cacheWriteLong === 0 ? {} : { cacheWriteLong }),
  };
}

/** Anthropic and Bedrock report cache writes by lifetime, in fields that the SDK passes on unread. */
function longWrites(raw: LanguageModelV4Usage["raw"]): number {
  if (Array.isArray(raw?.cacheDetails)) return raw.cacheDetails.reduce<number>((sum, each) => sum + hourOf(each), 0);
  const creation: unknown = raw?.cache_creation;
  if (typeof creation !== "object" || creation === null) return 0;
  const tokens = (creation as Readonly<Record<string, unknown>>).ephemeral_1h_input_tokens;
  return typeof tokens === "number" ? tokens : 0;
}

function hourOf(detail: unknown): number {
  const { ttl, inputTokens } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  return ttl === "1h" && typeof inputTokens === "number" ? inputTokens : 0;
}
