/**
 * Models behind Chat Completions servers, known by their names: what their chat templates and APIs refuse, and what
 * they want back. The server's address says nothing about the model. Gateways put the vendor before the model's name.
 */

/**
 * Mistral's API refuses a message of the user after results, which the tail of every request is:
 * https://github.com/NousResearch/hermes-agent/pull/84944 (2026-08-13) and
 * https://github.com/BerriAI/litellm/issues/17761 (2025-12-10).
 */
const MISTRAL = /(?:^|[/-])(?:mi[sx]tral|ministral|magistral|codestral|devstral)/i;

export function isMistral(model: string): boolean {
  return MISTRAL.test(model);
}

/**
 * Models whose usual server refuses native history.
 *
 * Gemma up to 3: its chat template has no calls or results, and roles alternate:
 * https://github.com/huggingface/text-generation-inference/issues/3198 (2025-04-28). Gemma 4 has them:
 * https://github.com/ollama/ollama/pull/17182 (2026-07-14).
 *
 * Llama 3: its chat template takes one call in a message: https://github.com/vllm-project/vllm/pull/12938 (2025-02-08).
 *
 * Gemini from 3 on: Google's gateway refuses calls without their thought signature:
 * https://github.com/securo-finance/securo/issues/884 (2026-09-10). Hidden and pruned calls lose their signature, and
 * calls of other models have none. The provider `google` sends them natively.
 */
const FLAT_ONLY = [
  /(?:^|[/-])gemma-?[1-3](?:n|\b)/i,
  /(?:^|[/-])(?:meta-)?llama-?3(?:[.\-:_]|$)/i,
  /(?:^|\/)gemini-(?:[3-9]|\d\d)/i,
];

export function needsFlat(model: string): boolean {
  return FLAT_ONLY.some((name) => name.test(model));
}

/**
 * Models that think by default and refuse a conversation with calls in which a message of the assistant lacks
 * `reasoning_content`. An empty one is accepted.
 *
 * DeepSeek from V3.2 on: https://api-docs.deepseek.com/guides/thinking_mode (2026-11-18), for every message of the
 * assistant and not only those with calls: https://github.com/diegosouzapw/OmniRoute/pull/3632 (2026-06-11), empty:
 * https://github.com/earendil-works/pi/pull/3656 (2026-04-24). Kimi from K2 Thinking and K2.5 on:
 * https://github.com/bytedance/deer-flow/issues/3043 (2026-05-19), empty:
 * https://github.com/Lapis0x0/obsidian-yolo/pull/243 (2026-04-18).
 *
 * DeepSeek does not think with `reasoning_effort: "none"`, which its documentation does not list:
 * https://github.com/clacky-ai/openclacky/issues/427 (2026-08-03).
 *
 * Other servers refuse the field, or ignore it, so no other model is sent it.
 */
const RETURNS_THOUGHTS = [
  /(?:^|\/)deepseek-(?:v3\.[2-9]|v[4-9]|chat|reasoner|flash|pro)/i,
  /(?:^|\/)kimi-(?:k2-thinking|k2[.-][5-9]|k[3-9]|for-coding|latest)/i,
];

export function wantsThoughts(model: string): boolean {
  return RETURNS_THOUGHTS.some((name) => name.test(model));
}
