/**
 * Amazon Bedrock's Converse API, with the standard variables of AWS. Claude models have their own roles, caches and
 * reasoning there. Other models are sent flat history without cache points.
 */
import { CairnError, FLAT_1, isJsonObject, NATIVE_1 } from "@cairn/timeline";
import { anthropic } from "./anthropic.ts";
import {
  CLAUDE_MODELS,
  fitBudget,
  keepsThinking,
  leastThinking,
  READABLE,
  takesBudget,
  thinksByBudget,
} from "./claude.ts";
import { type Environment, firstOf, optional, setting, urlOf } from "./environment.ts";
import type { AskedReasoning, ModelFacts, ModelPrices, Provider, ReasoningOptions } from "./provider.ts";

const MB = 1_024 * 1_024;
/** An endpoint in a region costs more than a global one: https://platform.claude.com/docs/en/about-claude/pricing (2026-11-15). */
const REGIONAL = 1.1;
/** A model id, an inference profile such as `us-gov.anthropic.claude-…`, or the ARN of either. */
const CLAUDE = /^(?:arn:[^/]+\/)?((?:[a-z-]+\.)?)anthropic\.(claude-.+?)(?:-v\d+(?::\d+)?)?$/;
const GLOBAL = "global.";

export const bedrock: Provider = {
  name: "bedrock",
  package: "@ai-sdk/amazon-bedrock",
  create: "createAmazonBedrock",
  keys: ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"],
  baseUrl: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
  needs:
    "`AWS_REGION`, and `AWS_BEARER_TOKEN_BEDROCK` or `AWS_ACCESS_KEY_ID` with `AWS_SECRET_ACCESS_KEY` (and `AWS_SESSION_TOKEN`)",
  placeholders: { AWS_REGION: "us-east-1" },
  settings: (env) => ({
    region: regionOf(env),
    ...credentialsOf(env),
    ...optional("baseURL", urlOf(env, "AWS_ENDPOINT_URL_BEDROCK_RUNTIME")),
  }),
  flat: FLAT_1,
  native: NATIVE_1,
  lowering: () => "native",
  keepsReasoning: (model) => keepsThinking(claudeName(model)),
  // Bedrock passes the messages on to Claude, which refuses the same native history as at Anthropic:
  // https://github.com/Portkey-AI/gateway/issues/1762 (2026-08-11). What other models refuse is unknown.
  refusesNative: (model, asked) => !CLAUDE.test(model) || thinksByBudget(claudeName(model), asked, budgetGiven(asked)),
  models: modelsOf(),
  baseModel: (model) => `${CLAUDE.exec(model)?.[1] === GLOBAL ? GLOBAL : ""}${claudeName(model)}`,
  defaults: { contextTokens: 128_000, maxOutputTokens: 4_096 },
  cacheRules: (model) => (CLAUDE.test(model) ? "bedrock" : "automatic"),
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html (2026-11-16).
  toolNames: { maxLength: 64, startsWithAny: true },
  refusedAtRoot: anthropic.refusedAtRoot,
  ...(anthropic.schemas === undefined ? {} : { schemas: anthropic.schemas }),
  // For newer models, Bedrock rejects a schema; for some others, its schema support is unreliable
  // (`@ai-sdk/amazon-bedrock` 5.0.101, `amazon-bedrock-anthropic-model-support.ts`). For both, the model gives
  // structured output with a tool.
  output: (model) =>
    /^claude-(?:sonnet-4-5|opus-4-[56])(?:-|$)/.test(claudeName(model)) ? { closed: true, allRequired: false } : null,
  reasoning: reasoningOptions,
  // 20 pictures of 3.75 MB and 8,000 pixels, and 5 documents of 4.5 MB, in a message:
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html (2026-11-16). Flat history is one
  // message. A quarter of the request is left to text and tools.
  files: {
    count: 100,
    images: 20,
    documents: 5,
    base64: 18 * MB,
    largest: { image: 5 * MB, document: 6 * MB },
    side: 8_000,
    large: { side: 2_000, count: 20 },
  },
  refusedFiles: [],
  contextLimit: [
    /input is too long for (?:the )?requested model/i,
    /too many input tokens|expected maxLength: \d+/i,
    ...anthropic.contextLimit,
  ],
};

function regionOf(env: Environment): string {
  const region = firstOf(env, ["AWS_REGION", "AWS_DEFAULT_REGION"]);
  if (region === null)
    throw new CairnError("bad_setting", "Models of Bedrock need a region. Set AWS_REGION, such as us-east-1.", {
      variable: "AWS_REGION",
      value: "",
    });
  return region;
}

/** A bearer key takes precedence, as in AWS's own programs. */
function credentialsOf(env: Environment): Readonly<Record<string, string>> {
  const apiKey = setting(env, "AWS_BEARER_TOKEN_BEDROCK");
  if (apiKey !== null) return { apiKey };
  const secret = setting(env, "AWS_SECRET_ACCESS_KEY");
  if (secret === null)
    throw new CairnError("model_key_missing", "AWS_ACCESS_KEY_ID needs AWS_SECRET_ACCESS_KEY too.", {
      variable: "AWS_SECRET_ACCESS_KEY",
    });
  return {
    ...optional("accessKeyId", setting(env, "AWS_ACCESS_KEY_ID")),
    secretAccessKey: secret,
    ...optional("sessionToken", setting(env, "AWS_SESSION_TOKEN")),
  };
}

/** Anthropic's name of a model: `claude-sonnet-5` for `us.anthropic.claude-sonnet-5-v1:0`. */
function claudeName(model: string): string {
  return CLAUDE.exec(model)?.[2] ?? "";
}

/**
 * Newer models decide themselves how much they think, and refuse a budget. Some models think by default and no longer
 * return readable thinking by default; the package has options for neither.
 */
function reasoningOptions(asked: AskedReasoning): ReasoningOptions {
  const claude = claudeName(asked.model ?? "");
  const budget = fitBudget(asked);
  const takes = takesBudget(claude);
  const leftOut =
    budget === null || takes ? (budget?.leftOut ?? []) : ["reasoning.budget_tokens (only an effort can be set)"];
  if (claude !== "" && asked.effort === "none") {
    const { fields, isOff } = leastThinking(claude);
    return {
      options: { amazonBedrock: { additionalModelRequestFields: fields } },
      leftOut: isOff ? leftOut : [...leftOut, "reasoning.effort (thinking cannot be disabled, the least is used)"],
    };
  }
  const byBudget = takes ? { type: "enabled", budgetTokens: budget?.tokens } : { type: "adaptive", ...READABLE };
  const budgeted = budget === null ? {} : byBudget;
  const readable = claude === "" || asked.effort === undefined ? {} : READABLE;
  const reasoningConfig = { ...budgeted, ...readable };
  return {
    options: Object.keys(reasoningConfig).length === 0 ? {} : { amazonBedrock: { reasoningConfig } },
    leftOut,
  };
}

function budgetGiven({ budgetTokens, options }: AskedReasoning): boolean {
  const { reasoningConfig } = options?.amazonBedrock ?? options?.bedrock ?? {};
  return budgetTokens !== undefined || (isJsonObject(reasoningConfig) && reasoningConfig.type === "enabled");
}

function modelsOf(): ReadonlyMap<string, ModelFacts> {
  return new Map(
    [...CLAUDE_MODELS].flatMap(([name, facts]): [string, ModelFacts][] => [
      [`${GLOBAL}${name}`, facts],
      [name, facts.prices === undefined ? facts : { ...facts, prices: regional(facts.prices) }],
    ]),
  );
}

function regional(prices: ModelPrices): ModelPrices {
  return { ...prices, input: prices.input * REGIONAL, output: prices.output * REGIONAL };
}
