/** A prompt as a provider's cache compares it. Each dialect makes one from a request body. */
import {
  type Breakpoint,
  type CountTokens,
  type JsonObject,
  type ProviderRules,
  type WireKind,
  type WirePart,
  wirePartTokens,
} from "@cairn/timeline";
import { type DescribedBlock, hashBlock } from "../../cache/described-block.ts";

export interface Prompt {
  /** The name of the cache. It differs for another model or routing key, because these never share entries. */
  readonly cache: string;
  readonly rules: ProviderRules;
  readonly blocks: readonly DescribedBlock[];
  /** Positions of the breakpoints, ascending. */
  readonly breakpoints: readonly Breakpoint[];
  /** Ends of earlier messages at which the provider also looks for entries but writes none. Ascending. */
  readonly lookups: readonly number[];
}

/** One block of a prompt: its exact content, without cache markers, and the parts that cost tokens. */
export interface PromptBlock {
  readonly kind: WireKind;
  readonly content: JsonObject;
  readonly parts: readonly WirePart[];
  readonly startsMessage: boolean;
}

/** The block for the cache simulator. It has at least one token, because providers bill every block. */
export function describePromptBlock(block: PromptBlock, countTokens: CountTokens): DescribedBlock {
  const { kind, parts } = block;
  const hash = hashOf(block);
  const tokens = parts.reduce((sum, part) => sum + wirePartTokens(part, countTokens), 0);
  return { hash, tokens: Math.max(1, tokens), kind };
}

/** Hashes of recent blocks are cached, because each request repeats most of the previous one. */
const known = new Map<string, string>();
const MAX_KNOWN = 2_000;

function hashOf({ content, startsMessage }: PromptBlock): string {
  const text = `${startsMessage} ${JSON.stringify(content)}`;
  const before = known.get(text);
  if (before !== undefined) return before;
  const hash = hashBlock({ content, startsMessage });
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, hash);
  return hash;
}

export function textPart(text: string): WirePart {
  return { type: "text", text };
}
