/**
 * Detects errors that say that a model accepts no files of a kind. The model would reject the file in every later
 * request too, so from then on the view describes files of this kind in words. Gateways pass on the messages of the
 * providers behind them, so the messages of every provider are checked.
 */
import type { FileKind } from "@cairn/timeline";
import type { RefusedFiles } from "./providers/provider.ts";
import { MODEL_PROVIDERS } from "./providers/registry.ts";

const KNOWN = MODEL_PROVIDERS.flatMap(({ refusedFiles }) => refusedFiles);
const MAX_LOOK_LENGTH = 20_000;

/** The rejected kind, `any` if the error does not name it, or null. `own`: messages of an unlisted provider. */
export function refusedKind(text: string, own: readonly RefusedFiles[] = []): FileKind | "any" | null {
  const look = text.slice(0, MAX_LOOK_LENGTH);
  return [...own, ...KNOWN].find(({ words }) => words.test(look))?.kind ?? null;
}
