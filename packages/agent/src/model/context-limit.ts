/**
 * Whether an error says that a request is larger than a model's window, or larger than its provider takes at all.
 * Sending less helps in every case, so all of them ask for a compaction.
 *
 * Gateways pass on the words of whoever stands behind them, so the words of every provider count.
 */
import { MODEL_PROVIDERS } from "./providers/registry.ts";

const WORDS = MODEL_PROVIDERS.flatMap(({ contextLimit }) => contextLimit);

/** More of an error than anyone writes by hand; the rest may be an echo of the request. */
const LONGEST_LOOK = 20_000;

/** `own`: the words of a provider that is not in the registry. */
export function saysContextLimit(text: string, own: readonly RegExp[] = []): boolean {
  const look = text.slice(0, LONGEST_LOOK);
  return WORDS.some((pattern) => pattern.test(look)) || own.some((pattern) => pattern.test(look));
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
