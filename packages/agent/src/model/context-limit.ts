/**
 * Detects errors that say that a request is larger than a model's window, or larger than its provider accepts. Sending
 * less helps in every case, so each of these errors triggers a compaction.
 *
 * Gateways pass on the messages of the providers behind them, so the messages of every provider are checked.
 */
import { MODEL_PROVIDERS } from "./providers/registry.ts";

const WORDS = MODEL_PROVIDERS.flatMap(({ contextLimit }) => contextLimit);

/** Maximum characters of an error that are examined; the rest may be an echo of the request. */
const MAX_LOOK_LENGTH = 20_000;

/** `own`: error messages of a provider that is not in the registry. */
export function saysContextLimit(text: string, own: readonly RegExp[] = []): boolean {
  const look = text.slice(0, MAX_LOOK_LENGTH);
  return WORDS.some((pattern) => pattern.test(look)) || own.some((pattern) => pattern.test(look));
}

/** If the larger number is more than this many times the smaller one, the larger number is not a count of tokens. */
const MAX_EXCESS = 4;
const MIN_WINDOW = 1_000;

/**
 * The tokens that the provider counted and the tokens that it accepts. These are the first two numbers in providers'
 * error messages, in either order. Null when the message has no such numbers, or counts something other than tokens.
 */
export function statedTokens(text: string) {
  const look = text.slice(0, MAX_LOOK_LENGTH);
  if (!/token/i.test(look)) return null;
  const numbers = [...look.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(",", "")));
  const [first, second] = numbers.filter((number) => number >= MIN_WINDOW);
  if (first === undefined || second === undefined) return null;
  const [limit, counted] = [Math.min(first, second), Math.max(first, second)];
  return counted > limit && counted <= MAX_EXCESS * limit ? { counted, limit } : null;
}
