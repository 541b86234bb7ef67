/**
 * Settings of a model request. An agent has defaults, and a message may override them for its turn. The settings are
 * stored with the message and in every receipt, so that a restart sends the same bytes and a past request can be
 * rebuilt exactly.
 */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { CairnError, type Json, requestSettingsSchema, type SentReasoning } from "@cairn/timeline";

export type ProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

export interface RequestSettings {
  /** A number from 0 to 2; some providers allow less. */
  readonly temperature?: number;
  /** Nucleus sampling, from 0 to 1. */
  readonly topP?: number;
  /** Texts that end an answer. */
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** Maximum output tokens of one answer. An answer that reaches this limit ends there and is not continued. */
  readonly maxOutputTokens?: number;
  /**
   * `none` allows no calls. `required` or a tool's name applies only to the first decision of a turn, because a model
   * that must always call a tool could never answer.
   */
  readonly toolChoice?: ToolChoice;
  /** How much the model reasons before it answers. */
  readonly reasoning?: Reasoning;
  /** Options for the provider's package, by the package's name, such as `anthropic`. */
  readonly providerOptions?: ProviderOptions;
}

export interface Reasoning {
  /** An effort from `none` to `max`. A provider uses the nearest effort that its model supports. */
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Maximum tokens of reasoning before an answer, for models that take a budget. */
  readonly budgetTokens?: number;
}

export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

/** Throws `bad_settings` with the reason. */
export function readSettings(given: unknown): RequestSettings {
  if (given === undefined || given === null) return {};
  const { data, error } = requestSettingsSchema.safeParse(given);
  if (data === undefined) {
    const [issue] = error.issues;
    const where = issue?.path.join(".") || "settings";
    throw new CairnError("bad_settings", `The request settings are not valid: ${where}: ${issue?.message}.`);
  }
  return defined({
    temperature: data.temperature,
    topP: data.top_p,
    stop: data.stop,
    seed: data.seed,
    maxOutputTokens: data.max_output_tokens,
    toolChoice: data.tool_choice,
    reasoning: data.reasoning === undefined ? undefined : readReasoning(data.reasoning),
    providerOptions: data.provider_options as ProviderOptions | undefined,
  });
}

/** Reads the stored form of the settings, whose names have underscores. */
export function readReasoning({ effort, budget_tokens }: SentReasoning): Reasoning {
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(budget_tokens === undefined ? {} : { budgetTokens: budget_tokens }),
  };
}

export function writeSettings(settings: RequestSettings): { readonly [name: string]: Json } {
  const { temperature, topP, stop, seed, maxOutputTokens, toolChoice, reasoning, providerOptions } = settings;
  const { effort, budgetTokens } = reasoning ?? {};
  return JSON.parse(
    JSON.stringify({
      temperature,
      top_p: topP,
      stop,
      seed,
      max_output_tokens: maxOutputTokens,
      tool_choice: toolChoice,
      ...(reasoning === undefined ? {} : { reasoning: { effort, budget_tokens: budgetTokens } }),
      provider_options: providerOptions,
    }),
  );
}

/** Later settings override earlier ones of the same name; provider options are merged one by one. */
export function mergeSettings(first: RequestSettings, then: RequestSettings): RequestSettings {
  if (first.providerOptions === undefined || then.providerOptions === undefined) return { ...first, ...then };
  const providerOptions = { ...first.providerOptions };
  for (const [name, given] of Object.entries(then.providerOptions))
    providerOptions[name] = { ...providerOptions[name], ...given };
  return { ...first, ...then, providerOptions };
}

export function isEmpty(settings: RequestSettings): boolean {
  return Object.keys(settings).length === 0;
}

function defined(settings: { readonly [name in keyof RequestSettings]: RequestSettings[name] | undefined }) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as RequestSettings;
}
