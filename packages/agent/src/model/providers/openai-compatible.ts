/**
 * Servers that are compatible with OpenAI's Chat Completions: local servers (Ollama, llama.cpp, vLLM, LM Studio),
 * gateways, and other vendors. The address does not tell which model runs there, so the default window is small.
 */
import { CairnError, FLAT_2, NATIVE_2 } from "@cairn/timeline";
import { isMistral, needsFlat, wantsThoughts } from "./chat-models.ts";
import { optional, setting, urlOf } from "./environment.ts";
import type { Provider } from "./provider.ts";

/** The fields of Gemini's own schemas (https://ai.google.dev/api/caching#Schema). */
const GEMINI_KEYWORDS: ReadonlySet<string> = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "minimum"],
  ...["maximum", "minLength", "maxLength", "pattern", "properties", "minProperties", "maxProperties", "required"],
  ...["anyOf", "default", "example"],
]);

export const openaiCompatible: Provider = {
  name: "openai-compatible",
  package: "@ai-sdk/openai-compatible",
  create: "createOpenAICompatible",
  keys: [],
  baseUrl: "CAIRN_MODEL_BASE_URL",
  placeholders: { CAIRN_MODEL_BASE_URL: "http://127.0.0.1" },
  needs: "`CAIRN_MODEL_BASE_URL`, and `CAIRN_MODEL_API_KEY` if the server requires one",
  settings: (env) => {
    const baseURL = urlOf(env, "CAIRN_MODEL_BASE_URL");
    if (baseURL === null)
      throw new CairnError(
        "model_base_url_missing",
        "Set CAIRN_MODEL_BASE_URL to the server's address, such as http://127.0.0.1:11434/v1.",
        { variable: "CAIRN_MODEL_BASE_URL" },
      );
    return { name: "openai-compatible", baseURL, ...optional("apiKey", setting(env, "CAIRN_MODEL_API_KEY")) };
  },
  // Templates that refuse two user messages in a row: Mistral, https://github.com/vllm-project/vllm/issues/6862
  // (2024-07-27); Gemma, https://github.com/nextai-translator/raycast-openai-translator/issues/34 (2026-02-19).
  flat: FLAT_2,
  native: NATIVE_2,
  lowering: (model) => (needsFlat(model) ? "flat" : "native"),
  refusesNative: isMistral,
  keepsReasoning: wantsThoughts,
  // These servers report the usage of a streamed answer only on request:
  // https://platform.openai.com/docs/api-reference/chat/create (`stream_options`), as of 2026-11-15.
  loweringSettings: ({ name, version }): Readonly<Record<string, boolean>> =>
    name === "native" || version >= 2 ? { includeUsage: true } : {},
  // https://github.com/anomalyco/opencode/issues/1680 (2025-08-07) and
  // https://github.com/ml-explore/mlx-lm/issues/1375 (2026-06-08).
  callIdLength: (model) => (isMistral(model) ? 9 : undefined),
  models: new Map(),
  defaults: { contextTokens: 32_768, maxOutputTokens: 4_096 },
  cacheRules: () => "automatic",
  toolNames: { maxLength: 64, startsWithAny: true },
  // Gateways pass tools on to OpenAI and Anthropic: https://github.com/cecli-dev/cecli/issues/281 (2025-12-19).
  refusedAtRoot: ["anyOf", "oneOf", "allOf", "enum", "not"],
  // As for OpenAI, the schema of a list must declare its items. Google's gateway converts schemas to Gemini's own form:
  // https://github.com/earendil-works/pi/issues/4932 (2026-05-23) and https://github.com/voocel/litellm/issues/9
  // (2026-09-09).
  schemas: (model) =>
    /(?:^|\/)gemini-/i.test(model)
      ? { needsItems: true, oneType: true, keywords: GEMINI_KEYWORDS }
      : { needsItems: true },
  // `output` is absent, because vLLM calls no tools with `response_format`. So output is given by a tool:
  // https://github.com/vllm-project/vllm/issues/39929 (2026-04-15). DeepSeek's models take text only:
  // https://github.com/rikkahub/rikkahub/issues/1433 (2026-07-04).
  describes: (model) => (/(?:^|\/)deepseek-/i.test(model) ? ["image", "document"] : []),
  // Models that Ollama serves without tools: gemma3, https://github.com/tinyhumansai/openhuman/issues/2787 (2026-05-27);
  // deepseek-r1, https://github.com/continuedev/continue/issues/12780 (2026-06-18); dolphin-mistral,
  // https://github.com/rayketcham-lab/vox/issues/89 (2026-03-05); llama3, https://github.com/ollama/ollama/issues/5793
  // (2024-07-19).
  protocol: (model) => (/^(?:gemma3|deepseek-r1|dolphin-mistral|llama3)(?::|$)/.test(model) ? "text" : "native"),
  // Limits differ between servers. OpenAI or Anthropic may be behind a gateway, so the smaller of their limits apply.
  files: { count: 100, base64: 24 * 1_024 * 1_024 },
  refusedFiles: [
    // DeepSeek: https://github.com/rikkahub/rikkahub/issues/1433 (2026-07-03).
    { kind: "image", words: /unknown variant `image_url`, expected `text`/i },
    { kind: "document", words: /unknown variant `file`, expected/i },
    // Ollama: https://github.com/ollama/ollama/blob/00988753ff743bf26117964f6e43f9ebf10bce30/openai/openai.go (2026-11-16).
    { kind: "any", words: /invalid message format/i },
  ],
  // Ollama: https://github.com/tinyhumansai/openhuman/issues/2787 (2026-05-27).
  refusedTools: /does not support tools/i,
  // Error messages of servers and gateways, read up to 2026-11-15.
  contextLimit: [
    // Messages of Bedrock, which gateways pass on.
    /input is too long for (?:the )?requested model/i,
    /too many input tokens|expected maxLength: \d+/i,
    /input tokens exceeded|number of input tokens exceeds/i,
    /exceeded this model context window limit/i, // A message of Cloudflare.
    /number of input tokens \d+ cannot exceed/i, // A message of watsonx.
    /exceed max message tokens/i, // A message of Volcengine.
    /exceed context window of/i, // A message of llama-cpp-python.
    /ContextWindowExceeded/i, // The name of LiteLLM's error.
    /too large for model with \d+ maximum context/i, // A message of Mistral.
    /maximum prompt length is \d+/i, // A message of xAI.
    /reduce the length of the (?:messages|prompt|input)/i, // A message of Groq and of Cerebras.
    // Messages of Ollama.
    /(?:input|prompt) (?:length )?(?:exceeds|is longer than) the (?:maximum )?context length/i,
    /prompt too long; exceeded/i,
    /exceed_context_size|exceeds the available context size/i, // A message of llama.cpp.
    /greater than the context length|when context the overflows/i, // A message of LM Studio.
    /longer than the (?:maximum model length|model's context length)/i, // A message of vLLM.
    /input \(\d+ tokens\) is longer than/i, // A message of SGLang.
    /`inputs` (?:tokens \+ `max_new_tokens` must be|must have less than)/i, // Hugging Face TGI and Together send this.
    /too many tokens: |total number of tokens .{0,40}cannot exceed/i, // A message of Cohere.
    /range of input length should be/i, // A message of Alibaba.
    /exceeded model token limit|input token length too long/i, // A message of Moonshot.
    /context window exceeds limit/i, // A message of MiniMax.
    /prompt exceeds max length|tokens_in_prompt.{0,20}exceed/i, // A message of Zhipu.
    /prompt token count of \d+ exceeds the limit/i, // A message of GitHub Copilot.
    /(?:context|token)[ _](?:window|limit|length)[ _](?:exceeded|overflow)/i, // Messages of several gateways.
  ],
};
