/** `user.prompt`: a message of the user, which opens a turn or steers it. */
import { isJsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { messageDirectives } from "../directive/directives.ts";
import { paragraph } from "../message/paragraph.ts";
import { defineKind } from "./block-kind.ts";
import { pathLine } from "./view-text.ts";

export const userPrompt = defineKind({
  type: "user.prompt",
  role: "prompt",
  header: "[USER MESSAGE]",
  view: (placed, text, rules) => paragraph(`[USER MESSAGE]\n${pathLine(placed)}${rules.payload(text)}`),
  closesCalls: true,
  // A steering message is not part of the turn's opening, because the opening was already sent when it arrived.
  group: (block) => (isSteering(block) ? "call" : "opening"),
  addToTurn: (turn, { block }) => {
    const text = block.text ?? "";
    const ts = block.ts ?? null;
    const made = madeWith(block);
    if (!isSteering(block)) return { ...turn, prompt: { text, ts, ...made } };
    return { ...turn, inputs: [...turn.inputs, { mode: "steer", text, attachments: [], ts, ...made }] };
  },
  search: { code: 1, isMessage: true },
  allowsCut: true,
  addToDigest: (placed, path, digest) => {
    digest.addPrompt(placed, path);
    digest.addDirectives(messageDirectives(placed.block, path));
  },
  isRoot: () => true,
  statesTimeZone: true,
  directives: messageDirectives,
});

/** The prompt of an MCP server that the message was made with. */
function madeWith({ meta }: Block): { readonly made_with?: string } {
  const { server, name } = isJsonObject(meta?.prompt) ? meta.prompt : {};
  return typeof server === "string" && typeof name === "string" ? { made_with: `${server}.${name}` } : {};
}

function isSteering({ path = "" }: Block): boolean {
  return /\.user\.prompt\.\d+$/.test(path);
}
