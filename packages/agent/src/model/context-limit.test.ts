import { growthOnDoubling } from "@cairn/testkit/growth";
import { describe, expect, it } from "vitest";
import { saysContextLimit, statedTokens } from "./context-limit.ts";

describe("a request that is too large is recognised by the error text of", () => {
  it.each([
    ["Anthropic", "prompt is too long: 213462 tokens > 200000 maximum"],
    [
      "Anthropic",
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
    ],
    ["Anthropic", '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}'],
    [
      "OpenAI",
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens. Please reduce the length of the messages.",
    ],
    [
      "OpenAI",
      '{"error":{"message":"x","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    ],
    ["OpenAI", "Your input exceeds the context window of this model. Please adjust your input and try again."],
    [
      "OpenAI",
      "Invalid 'input[0].content[0].text': string too long. Expected a string with maximum length 10485760, but got a string with length 11000000 instead.",
    ],
    [
      "OpenAI",
      "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 41000. The input or output tokens must be reduced in order to run successfully.",
    ],
    ["Google", "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."],
    [
      "Google",
      "Unable to submit request because the input token count is 1100000 but model only supports up to 1048576. Reduce the input token count and try again.",
    ],
    ["Google", "Request payload size exceeds the limit: 20971520 bytes."],
    ["Bedrock", "ValidationException: Input is too long for requested model."],
    ["Bedrock", "The model returned the following errors: prompt is too long: 210000 tokens > 200000 maximum"],
    [
      "Bedrock",
      "Malformed input request: expected maxLength: 1000000, actual: 1048577, please reformat your input and try again.",
    ],
    [
      "Mistral",
      "Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    ],
    [
      "OpenRouter",
      'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140123 tokens (138123 of text input, 2000 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    ],
    [
      "DeepSeek",
      "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).",
    ],
    [
      "Bedrock (Nova)",
      "The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
    ],
    [
      "Cloudflare",
      "5021: The estimated number of input and maximum output tokens (40000) exceeded this model context window limit (32768).",
    ],
    ["watsonx", "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model"],
    ["Volcengine", "Total tokens of image and text exceed max message tokens."],
    ["llama-cpp-python", "Requested tokens (5000) exceed context window of 4096"],
    ["LiteLLM", "litellm.ContextWindowExceededError: litellm.BadRequestError: the request is refused"],
    ["Ollama", "the input length exceeds the context length"],
    ["Ollama", "prompt too long; exceeded max context length by 512 tokens"],
    ["llama.cpp", "the request exceeds the available context size (4096 tokens), try increasing it"],
    ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length"],
    [
      "LM Studio",
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.",
    ],
    ["vLLM", "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
    [
      "vLLM",
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
    ],
    ["SGLang", "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
    [
      "Hugging Face TGI",
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
    ],
    ["Groq", "Please reduce the length of the messages or completion."],
    [
      "Groq",
      "Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 17000",
    ],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ["Cohere", "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292."],
    ["Cerebras", "Please reduce the length of the messages or completion. Current length is 10007 while limit is 8192"],
    ["Fireworks", "The prompt is too long: 9000, model maximum context length: 8191"],
    ["Alibaba", "Range of input length should be [1, 30720]"],
    ["Moonshot", "Invalid request: Your request exceeded model token limit: 8192"],
    ["MiniMax", "invalid params, context window exceeds limit"],
    ["Zhipu", "Prompt exceeds max length"],
    ["GitHub Copilot", "prompt token count of 130000 exceeds the limit of 128000"],
  ])("%s: %s", (_, message) => expect(saysContextLimit(message)).toBe(true));
});

describe("other errors are not mistaken for it:", () => {
  it.each([
    "Overloaded",
    "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.",
    "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    "max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5",
    "messages: text content blocks must be non-empty",
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    "Incorrect API key provided",
    "The model `gpt-9` does not exist or you do not have access to it.",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "",
  ])("%s", (message) => expect(saysContextLimit(message)).toBe(false));
});

it("a hostile error text takes linear time", () => {
  const hostile = (size: number) => "input token count ".repeat(size) + "inputs ".repeat(size);
  expect(growthOnDoubling(hostile, saysContextLimit, 20_000)).toBeLessThan(4);
});

describe("the number of excess tokens of a request", () => {
  it.each([
    ["prompt is too long: 213462 tokens > 200000 maximum", 213_462, 200_000],
    [
      "This model's maximum context length is 128,000 tokens. Your messages resulted in 130,512 tokens.",
      130_512,
      128_000,
    ],
    ["The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", 1_196_265, 1_048_575],
    [
      "maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages)",
      70_000,
      65_536,
    ],
  ])("is read from: %s", (text, counted, limit) => {
    expect(statedTokens(text)).toEqual({ counted, limit });
  });

  it.each([
    "Your input exceeds the context window of this model.",
    "string too long. Expected a string with maximum length 10485760, but got a string with length 11000000 instead.",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000 tokens",
  ])("cannot be read from: %s", (text) => {
    expect(statedTokens(text)).toBeNull();
  });
});
