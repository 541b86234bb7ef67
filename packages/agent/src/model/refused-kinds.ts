/**
 * Whether an error says that a model takes no files of a kind. Such a file is refused again in every later request, so
 * the kind is described in words from then on. Gateways pass on the words of whoever stands behind them, so the words of
 * every provider count.
 */
import type { FileKind } from "@cairn/timeline";
import type { RefusedFiles } from "./providers/provider.ts";
import { MODEL_PROVIDERS } from "./providers/registry.ts";

const KNOWN = MODEL_PROVIDERS.flatMap(({ refusedFiles }) => refusedFiles);
const LONGEST_LOOK = 20_000;

/** The kind that is refused, `any` where the error does not say which, or null. `own`: of a provider not in the registry. */
export function refusedKind(text: string, own: readonly RefusedFiles[] = []): FileKind | "any" | null {
  const look = text.slice(0, LONGEST_LOOK);
  return [...own, ...KNOWN].find(({ words }) => words.test(look))?.kind ?? null;
}
