/**
 * A provider: a company or server that runs models, and all facts about it that Cairn needs.
 *
 * One file in this folder describes one provider, and one line in `registry.ts` adds it. That is enough for a provider
 * with the wire format and the cache of a known one. A new wire format is described in `timeline/src/cache/wire`, and
 * new cache rules in `timeline/src/cache/providers.ts`. Facts change, so each is given with its source and the date it
 * was read.
 */
import type { FileKind, FileLimits, JsonObject, Lowering, ProviderId } from "@cairn/timeline";
import type { Environment } from "./environment.ts";

export interface Provider {
  /** The part of a model's name before the colon, such as `anthropic` in `anthropic:claude-sonnet-5-5`. */
  readonly name: string;
  /** The AI SDK package of the provider. It is loaded when a model of the provider is first used. */
  readonly package: string;
  /** Name of the package's function that creates the provider. */
  readonly create: string;
  /** The variables that may contain the key, the most common variable first; empty if a key is optional. */
  readonly keys: readonly string[];
  /** The variable for an address that replaces the default address. */
  readonly baseUrl: string;
  /** Markdown for the configuration reference: the settings of the provider's models. */
  readonly needs: string;
  /** Example values for the provider's other variables. A test creates a model with them that sends nothing. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** The arguments of `create`. Throws a `CairnError` that names the missing or invalid variable. */
  readonly settings: (env: Environment) => Readonly<Record<string, string>>;
  /** Additional arguments of `create` for a lowering. They determine bytes of past requests, so they never change. */
  readonly loweringSettings?: (lowering: Lowering) => Readonly<Record<string, boolean>>;
  /** The version of the flat lowering that the provider accepts. */
  readonly flat: Lowering;
  /** The version of the native lowering that the provider accepts. */
  readonly native: Lowering;
  /** How new requests to a model send the history, unless `CAIRN_MODEL_LOWERING` says otherwise. */
  readonly lowering: (model: string) => Lowering["name"];
  /** Whether a model refuses the native lowering when it is asked for this reasoning. Such a request is sent `flat`. */
  readonly refusesNative?: (model: string, asked: AskedReasoning) => boolean;
  /**
   * Whether a model takes its own earlier reasoning back. Default: no. A model behind Chat Completions gets it as
   * `reasoning_content` in every message of the assistant.
   */
  readonly keepsReasoning?: (model: string) => boolean;
  /** The length that a model requires of call ids. Default: any length. */
  readonly callIdLength?: (model: string) => number | undefined;
  /** Windows and prices of well-known models, by id. Other models work too, with the defaults and without prices. */
  readonly models: ReadonlyMap<string, ModelFacts>;
  /** The id by which `models` lists a model, if it differs from the model's own id. */
  readonly baseModel?: (model: string) => string;
  /** Window and prices for models that are not listed. The window is small enough for most models of the provider. */
  readonly defaults: ModelFacts;
  /** The cache rules and wire form of a model. */
  readonly cacheRules: (model: string) => ProviderId;
  readonly toolNames: ToolNameRule;
  /** Keywords that the provider rejects at the root of a tool's schema. `fit-schema.ts` wraps such a schema. */
  readonly refusedAtRoot: readonly string[];
  /** Restrictions on every level of a tool's schema. Default: none. */
  readonly schemas?: (model: string) => SchemaRule;
  /** How a model makes its answers match a schema, in a request with tools. Null or absent: the model cannot. */
  readonly output?: (model: string) => OutputRule | null;
  /** Kinds of files that a model is known not to accept. The view describes these files in words. Default: unknown. */
  readonly describes?: (model: string) => readonly FileKind[];
  /** The options that ask a model to reason. Default: by its effort only, which the package translates. */
  readonly reasoning?: (asked: AskedReasoning) => ReasoningOptions;
  /** How a model calls tools. Default: with the provider's own tool calls. */
  readonly protocol?: (model: string) => ProtocolName;
  /** Limits on pictures and documents in a request. Default: no limit. */
  readonly files?: FileLimits;
  /** The provider's error messages for kinds of files that it never accepts. */
  readonly refusedFiles: readonly RefusedFiles[];
  /** The provider's error message for a model that calls no tools. The user is told to use tools in text. */
  readonly refusedTools?: RegExp;
  /**
   * The provider's error messages for a request that is too large. The patterns have no nested repetition, so that each
   * takes linear time, whatever text an error has.
   */
  readonly contextLimit: readonly RegExp[];
}

/** How a model calls tools: through its provider's own mechanism, or in the text of its answer. */
export type ProtocolName = "native" | "text";

export interface AskedReasoning {
  /** The model's id, if the code that asks knows it. */
  readonly model?: string;
  readonly effort?: string;
  readonly budgetTokens?: number;
  /** The options of the request by the name of the package, for callers that do not use the settings above. */
  readonly options?: Readonly<Record<string, JsonObject>>;
  /** The version of the conversion of reasoning settings (`ask-reasoning.ts`), which affects the bytes of requests. */
  readonly rules?: number;
  /** The most tokens that the model can write; absent: unknown. */
  readonly maxOutputTokens?: number;
}

/** The effort is always sent. The package knows which efforts a model accepts, and reports when it uses another one. */
export interface ReasoningOptions {
  /** Options of the provider's package, by the package's name: for a budget, and for readable reasoning. */
  readonly options: Readonly<Record<string, JsonObject>>;
  /** Settings that the provider does not accept, one sentence each. */
  readonly leftOut: readonly string[];
}

/** The restrictions of a provider on tool schemas. Before a request is sent, its schemas are adapted to them. */
export interface SchemaRule {
  /** The JSON Schema keywords that the provider accepts. Default: all. */
  readonly keywords?: ReadonlySet<string>;
  /** Whether a schema must have a single type instead of a list of types. */
  readonly oneType?: boolean;
  /** Whether the schema of a list must declare its items. */
  readonly needsItems?: boolean;
  /** A pattern for the names of a tool's parameters. */
  readonly parameterNames?: RegExp;
}

/** Which schemas a provider can make an answer match. With any other schema, the model gives its output with a tool. */
export interface OutputRule {
  /** The keywords that the provider enforces. Default: all. Others are ignored or moved into descriptions. */
  readonly keywords?: ReadonlySet<string>;
  /** Whether an object must set `additionalProperties` to false. */
  readonly closed: boolean;
  /** Whether all declared fields must be required. */
  readonly allRequired: boolean;
}

export interface RefusedFiles {
  readonly words: RegExp;
  /** `any` when the message does not name a kind. */
  readonly kind: FileKind | "any";
}

export interface ModelFacts {
  /** The window, for input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly prices?: ModelPrices;
}

export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Price of a cached token, as a multiple of the input price. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Price of writing entries that are kept for an hour, if they cost more. */
  readonly cacheWriteLong?: number;
  /** Above this many input tokens, the price of the whole request is multiplied by this factor. */
  readonly longPrompt?: { readonly above: number; readonly input: number; readonly output: number };
}

export interface ToolNameRule {
  readonly maxLength: number;
  /** Whether a name may begin with a digit or a hyphen. */
  readonly startsWithAny: boolean;
}

/** The facts of a model. A dated snapshot (`-20251001`, `-2026-03-05`) has the facts of the model. */
export function factsOf({ models, defaults, baseModel = (id) => id }: Provider, id: string): ModelFacts {
  const model = baseModel(id);
  return models.get(model) ?? models.get(model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "")) ?? defaults;
}
