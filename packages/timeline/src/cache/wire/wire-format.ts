/** The functions and rules that a provider's wire format must define. One file implements the format of each API. */
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { FileKind } from "../../message/message.ts";
import type { CacheTtl } from "../providers.ts";
import type { CallPart, WireBlock, WireInput, WirePart, WireRole, WireTool } from "./wire-request.ts";

export interface WireFormat {
  /** `flat`: whether each group is a separate message. Otherwise the whole history is one message. */
  readonly messagePerGroup: boolean;
  /** Whether a tool can carry a marker, for requests without a system text. */
  readonly marksTools: boolean;
  /** Whether a marker can be on the assistant's messages. */
  readonly marksAssistant: boolean;
  /** The kinds of files that the result of a call may contain. */
  readonly resultFiles: readonly FileKind[];
  tool(tool: WireTool): JsonObject;
  system(part: WirePart): JsonObject;
  part(part: WirePart, role: WireRole): JsonObject;
  /** The body, with a marker after each block for which `ttlAfter` gives a TTL. */
  body(blocks: readonly WireBlock[], ttlAfter: (at: number) => CacheTtl | undefined, input: WireInput): JsonObject;
}

/** The blocks of one kind with their places in the request. */
export function placed(blocks: readonly WireBlock[], test: (block: WireBlock) => boolean): [at: number, WireBlock][] {
  return blocks.flatMap((block, at): [number, WireBlock][] => (test(block) ? [[at, block]] : []));
}

/** The sealed fields of a part for the provider's package `name`. */
export function sealedBy({ sealed }: Pick<CallPart, "sealed">, name: string): JsonObject {
  const own = sealed?.[name];
  return isJsonObject(own) ? own : {};
}

export function isHistory({ kind }: WireBlock): boolean {
  return kind === "stable" || kind === "tail";
}

/** The history in messages of two roles, where results are the user's. `spell` gives the content of a block. */
export function inTwoRoles(
  blocks: readonly WireBlock[],
  names: Readonly<Record<"user" | "assistant", string>>,
  field: string,
  spell: (at: number, block: WireBlock) => readonly JsonObject[],
): JsonObject[] {
  const messages: { role: string; content: JsonObject[] }[] = [];
  for (const [at, block] of placed(blocks, isHistory)) {
    const role = block.role === "assistant" ? names.assistant : names.user;
    const last = messages.at(-1);
    const message = last?.role === role ? last : { role, content: [] };
    if (message !== last) messages.push(message);
    message.content.push(...spell(at, block));
  }
  return messages.map(({ role, content }) => ({ role, [field]: content }));
}
