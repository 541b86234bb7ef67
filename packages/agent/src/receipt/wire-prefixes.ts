/**
 * Hashes of the prefixes of a request, one hash for each wire block. Two prefixes have equal hashes exactly when a
 * provider's cache treats them as equal.
 *
 * A hash depends on the bytes of the blocks and on where messages begin, and not on cache markers. At Anthropic and
 * Bedrock, cached messages also depend on settings: after another tool choice, thinking or effort, or the first
 * picture, only tools and system text stay in the cache. A schema that the provider makes the answer match comes
 * between the tools and the system text.
 */
import { createHash } from "node:crypto";
import type { WirePart, WireRequest } from "@cairn/timeline";
import type { SentBody } from "../model/model.ts";

/** The parts of a request that determine its prefixes. */
export type PrefixedBody = Pick<SentBody, "wire" | "settings" | "output">;

/** Digits of a hash: enough that no two prefixes of a conversation have the same hash. */
const HEX_DIGITS = 32;

export function wirePrefixes({ wire, settings, output }: PrefixedBody): string[] {
  const hash = createHash("sha256");
  let begun = false;
  let isFormatted = output === undefined;
  return wire.blocks.map(({ kind, content, startsMessage }) => {
    if (!isFormatted && kind !== "tools") {
      isFormatted = true;
      hash.update(`output ${output}\n`);
    }
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
  const pictures = blocks.some(({ part }) => hasPicture(part));
  return `${settings} ${pictures ? "pictures" : ""}\n`;
}

function hasPicture(part: WirePart): boolean {
  return part.type === "image" || (part.type === "result" && part.content.some(hasPicture));
}
