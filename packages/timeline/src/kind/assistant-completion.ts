/** `assistant.completion`: the answer that ends a turn. */
import type { Json } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { sourceIds } from "../block/digest.ts";
import { paragraph } from "../message/paragraph.ts";
import { canonicalPath } from "../path/resolve.ts";
import { defineKind } from "./block-kind.ts";
import { pathLine } from "./view-text.ts";

export const assistantCompletion = defineKind({
  type: "assistant.completion",
  role: "answer",
  header: "[ASSISTANT MESSAGE]",
  view: (placed, text, rules) =>
    paragraph(`[ASSISTANT MESSAGE]\n${pathLine(placed)}${sourcesLine(placed.block)}${rules.payload(text)}`),
  closesCalls: true,
  group: () => "completion",
  addToTurn: (turn, { block, position }, sources_known) => {
    const output = structuredOutput(block);
    const completion = {
      text: block.text ?? "",
      path: block.path === undefined ? null : canonicalPath(block.path),
      position,
      sources_known,
      interrupted: block.meta?.interrupted === true,
      clarification: block.meta?.clarification === true,
      ...(output === undefined ? {} : { output }),
    };
    return { ...turn, completion };
  },
  search: { code: 2, isMessage: true },
  allowsCut: true,
  addToDigest: (placed, path, digest) => digest.addAnswer(placed, path),
  isRoot: () => true,
});

/**
 * The value of an answer that matches the JSON Schema of its message; undefined for any other block. The text of the
 * answer is the JSON, and `meta.output` marks it, so a program that does not know it shows the JSON as the answer.
 */
export function structuredOutput({ type, text, meta }: Block): Json | undefined {
  if (type !== assistantCompletion.type || meta?.output !== true || text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // A block that was imported may contain anything, so its text is parsed without trust.
  }
}

function sourcesLine(block: Block): string {
  const sids = sourceIds(block.meta?.sources_used);
  return sids.length === 0 ? "" : `[sources_used: ${JSON.stringify(sids)}]\n`;
}
