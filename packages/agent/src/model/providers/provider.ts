/**
 * A provider: who runs a model, and everything we know about them.
 *
 * One file in this folder describes one provider, and one line in `registry.ts` adds it. Nothing else in the product
 * names a provider. Facts change, so each is written beside its source and the date it was read.
 */
import type { FileKind, FileLimits, Lowering, ProviderId } from "@cairn/timeline";
import type { ModelPrices } from "../model.ts";
import type { Environment } from "./environment.ts";

export interface Provider {
  /** What stands before the colon of a model's name, such as `anthropic` in `anthropic:claude-sonnet-5-5`. */
  readonly name: string;
  /** The package of the AI SDK that talks to it. It is loaded when a model of the provider is asked for. */
  readonly package: string;
  /** Name of the package's function that makes the provider. */
  readonly create: string;
  /** The variables that may hold the key, the usual one first; none where a key may be absent. */
  readonly keys: readonly string[];
  /** The variable that holds its address, where it is not the usual one. */
  readonly baseUrl: string;
  /** What has to be set before a model of it can be used, as Markdown for the configuration reference. */
  readonly needs: string;
  /** What `create` is called with. Throws a `CairnError` that names a variable that is missing or wrong. */
  readonly settings: (env: Environment) => Readonly<Record<string, string>>;
  /** What `create` is called with besides for requests of a lowering. Part of their bytes, so it never changes. */
  readonly loweringSettings?: (lowering: Lowering) => Readonly<Record<string, boolean>>;
  /** How new requests are lowered. */
  readonly lowering: Lowering;
  /** Windows and prices of its well-known models, by id. Other models work too, with the defaults and without prices. */
  readonly models: ReadonlyMap<string, ModelFacts>;
  /** Small enough for most models of the provider. */
  readonly defaults: ModelFacts;
  /** Whose cache rules and wire form a model follows. */
  readonly cacheRules: (model: string) => ProviderId;
  readonly toolNames: ToolNameRule;
  /** Keywords that are refused at the root of a tool's schema. Such schemas are wrapped. */
  readonly refusedAtRoot: readonly string[];
  /** What else it refuses of the schemas of tools. Nothing unless given. */
  readonly schemas?: (model: string) => SchemaRule;
  /** Kinds of files a model is known not to take. They are described in words. Nothing is known unless given. */
  readonly describes?: (model: string) => readonly FileKind[];
  /** How many pictures and documents it takes in a request, and how large. No limit unless given. */
  readonly files?: FileLimits;
  /** How it says that it takes no files of a kind, whatever their content. */
  readonly refusedFiles: readonly RefusedFiles[];
  /**
   * How it says that a request is larger than the model's window, or larger than it takes at all. Plain wordings: no
   * repetition inside a repetition, so that a hostile error text costs one pass each.
   */
  readonly contextLimit: readonly RegExp[];
}

/** What a provider takes of the schemas of tools. Schemas are fitted to it. */
export interface SchemaRule {
  /** The keywords it takes. All unless given. */
  readonly keywords?: ReadonlySet<string>;
  /** Whether a schema has one type, and not a list of them. */
  readonly oneType?: boolean;
  /** Whether a list has to say what its items are. */
  readonly needsItems?: boolean;
  /** What the names of a tool's parameters look like. */
  readonly parameterNames?: RegExp;
}

export interface RefusedFiles {
  readonly words: RegExp;
  /** `any` where the words do not say which kind is meant. */
  readonly kind: FileKind | "any";
}

export interface ModelFacts {
  /** The window, for input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly prices?: ModelPrices;
}

export interface ToolNameRule {
  readonly maxLength: number;
  /** Whether a name may begin with a digit or a hyphen. */
  readonly startsWithAny: boolean;
}

/** The facts of a model. A dated snapshot (`-20251001`, `-2026-03-05`) is the model it is a snapshot of. */
export function factsOf({ models, defaults }: Provider, model: string): ModelFacts {
  return models.get(model) ?? models.get(model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "")) ?? defaults;
}
