/**
 * Names for the prefixes of a request, one for each wire block: two requests share a prefix exactly when a provider's
 * cache would find one in the other.
 *
 * Made of the bytes of the blocks and of where messages begin, never of cache markers, which stand beside them. At
 * Anthropic and Bedrock the messages also stand on some settings: another choice of tools, other thinking, or a first
 * picture keep tools and system text in the cache and lose the messages.
 */
import { createHash } from "node:crypto";
import type { WireRequest } from "@cairn/timeline";
import type { SentBody } from "../model/model.ts";

/** Enough that no two prefixes of a conversation ever share a name. */
const HEX_DIGITS = 32;

export function wirePrefixes({ wire, settings }: Pick<SentBody, "wire" | "settings">): string[] {
  const hash = createHash("sha256");
  let begun = false;
  return wire.blocks.map(({ kind, content, startsMessage }) => {
    if (!begun && (kind === "stable" || kind === "tail")) {
      begun = true;
      hash.update(groundOf(wire, settings));
    }
    hash.update(`${startsMessage ? "message" : "part"} ${JSON.stringify(content)}\n`);
    return hash.copy().digest("hex").slice(0, HEX_DIGITS);
  });
}

function groundOf({ provider, blocks }: WireRequest, settings: string): string {
  if (provider !== "anthropic" && provider !== "bedrock") return "";
  const pictures = blocks.some(({ part }) => part.type === "image");
  return `${settings} ${pictures ? "pictures" : ""}\n`;
}
