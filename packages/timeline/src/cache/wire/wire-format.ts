/** What a provider's wire format must define. One file implements it for each API. */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import type { WireBlock, WireInput, WirePart, WireTool } from "./wire-request.ts";

export interface WireFormat {
  /** Whether each group is a message of its own; otherwise the whole history is one message. */
  readonly messagePerGroup: boolean;
  /** Whether a tool can carry a marker, for requests without a system text. */
  readonly marksTools: boolean;
  tool(tool: WireTool): JsonObject;
  system(part: WirePart): JsonObject;
  part(part: WirePart): JsonObject;
  /** The body, with a marker after each block for which `ttlAfter` gives a TTL. */
  body(blocks: readonly WireBlock[], ttlAfter: (at: number) => CacheTtl | undefined, input: WireInput): JsonObject;
}

/** The blocks of one kind with their places in the request. */
export function placed(blocks: readonly WireBlock[], test: (block: WireBlock) => boolean): [at: number, WireBlock][] {
  return blocks.flatMap((block, at): [number, WireBlock][] => (test(block) ? [[at, block]] : []));
}

export function isHistory({ kind }: WireBlock): boolean {
  return kind === "stable" || kind === "tail";
}
