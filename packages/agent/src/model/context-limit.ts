/**
 * How providers say that a request is larger than a model's window, or larger than they take at all. Sending less helps
 * in every case, so all of them ask for a compaction.
 *
 * A table of plain wordings: no repetition inside a repetition, so that a hostile error text costs one pass each.
 */
interface Wording {
  /** Who says it so; others may too. */
  readonly provider: string;
  readonly pattern: RegExp;
}

const WORDINGS: readonly Wording[] = [
  { provider: "OpenAI, Groq, vLLM (error code)", pattern: /context[_ ]length[_ ]exceeded/i },
  { provider: "OpenAI", pattern: /exceeds? the (?:model's )?context (?:window|length|limit)/i },
  { provider: "OpenAI", pattern: /string too long\. Expected a string with maximum length/i },
  { provider: "OpenAI, Groq (one request above the minute's tokens)", pattern: /request too large for/i },
  { provider: "OpenAI, DeepSeek, vLLM, OpenRouter, Mistral", pattern: /maximum context length/i },
  { provider: "Anthropic, Fireworks, Bedrock", pattern: /prompt is too long/i },
  { provider: "Anthropic", pattern: /input length and `?max_tokens`? exceed context limit/i },
  {
    provider: "Anthropic (error type, more bytes than it takes)",
    pattern: /request_too_large|request exceeds the maximum size/i,
  },
  { provider: "Google", pattern: /input token count.{0,40} exceeds the maximum number of tokens/i },
  { provider: "Google (Vertex)", pattern: /input token count is \d+ but model only supports up to/i },
  { provider: "Google", pattern: /request payload size exceeds the limit/i },
  { provider: "Bedrock", pattern: /input is too long for (?:the )?requested model/i },
  { provider: "Bedrock", pattern: /too many input tokens|expected maxLength: \d+/i },
  { provider: "Bedrock (Nova)", pattern: /input tokens exceeded|number of input tokens exceeds/i },
  { provider: "Cloudflare", pattern: /exceeded this model context window limit/i },
  { provider: "watsonx", pattern: /number of input tokens \d+ cannot exceed/i },
  { provider: "Volcengine", pattern: /exceed max message tokens/i },
  { provider: "llama-cpp-python", pattern: /exceed context window of/i },
  { provider: "LiteLLM (error name)", pattern: /ContextWindowExceeded/i },
  { provider: "Mistral", pattern: /too large for model with \d+ maximum context/i },
  { provider: "xAI", pattern: /maximum prompt length is \d+/i },
  { provider: "Groq, Cerebras", pattern: /reduce the length of the (?:messages|prompt|input)/i },
  {
    provider: "Ollama",
    pattern: /(?:input|prompt) (?:length )?(?:exceeds|is longer than) the (?:maximum )?context length/i,
  },
  { provider: "Ollama", pattern: /prompt too long; exceeded/i },
  { provider: "llama.cpp", pattern: /exceed_context_size|exceeds the available context size/i },
  { provider: "LM Studio", pattern: /greater than the context length|when context the overflows/i },
  { provider: "vLLM", pattern: /longer than the (?:maximum model length|model's context length)/i },
  { provider: "SGLang", pattern: /input \(\d+ tokens\) is longer than/i },
  {
    provider: "Hugging Face TGI, Together",
    pattern: /`inputs` (?:tokens \+ `max_new_tokens` must be|must have less than)/i,
  },
  { provider: "Cohere", pattern: /too many tokens: |total number of tokens .{0,40}cannot exceed/i },
  { provider: "Alibaba", pattern: /range of input length should be/i },
  { provider: "Moonshot", pattern: /exceeded model token limit|input token length too long/i },
  { provider: "MiniMax", pattern: /context window exceeds limit/i },
  { provider: "Zhipu", pattern: /prompt exceeds max length|tokens_in_prompt.{0,20}exceed/i },
  { provider: "GitHub Copilot", pattern: /prompt token count of \d+ exceeds the limit/i },
  { provider: "gateways", pattern: /(?:context|token)[ _](?:window|limit|length)[ _](?:exceeded|overflow)/i },
];

/** More of an error than anyone writes by hand; the rest may be an echo of the request. */
const LONGEST_LOOK = 20_000;

export function saysContextLimit(text: string): boolean {
  const look = text.slice(0, LONGEST_LOOK);
  return WORDINGS.some(({ pattern }) => pattern.test(look));
}

/** By how much a request was too large, where the provider says so: the tokens it counted, and how many it takes. */
export interface StatedTokens {
  readonly counted: number;
  readonly limit: number;
}

/** A request that is further beyond its window than this was not counted in tokens. */
const HIGHEST_EXCESS = 4;
const LEAST_WINDOW = 1_000;

/** Providers state the two numbers first, in either order. Null when they state none, or not in tokens. */
export function statedTokens(text: string): StatedTokens | null {
  const look = text.slice(0, LONGEST_LOOK);
  if (!/token/i.test(look)) return null;
  const numbers = [...look.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(",", "")));
  const [first, second] = numbers.filter((number) => number >= LEAST_WINDOW);
  if (first === undefined || second === undefined) return null;
  const [limit, counted] = [Math.min(first, second), Math.max(first, second)];
  return counted > limit && counted <= HIGHEST_EXCESS * limit ? { counted, limit } : null;
}
