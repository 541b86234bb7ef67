/**
 * Hashes of the prefixes of a request, one for each wire block: two requests have equal hashes exactly when a
 * provider's cache would match the prefix.
 *
 * They depend on the bytes of the blocks and on where messages begin, not on cache markers. At Anthropic and Bedrock
 * the cached messages also depend on some settings: a different tool choice, different thinking, or a first picture
 * keeps tools and system text in the cache but not the messages.
 */
import { createHash } from "node:crypto";
import type { WireRequest } from "@cairn/timeline";
import type { SentBody } from "../model/model.ts";

/** Enough digits that no two prefixes of a conversation have the same hash. */
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
