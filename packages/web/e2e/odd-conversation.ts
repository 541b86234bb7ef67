/** A conversation of unusual blocks, as other programs, older versions or accidents write them. */
import { type Block, makeEvent, type TimelineEvent } from "@cairn/timeline";

export const ODD_TEXTS: readonly string[] = [
  "",
  " \n\t ",
  "\u202Eright to left\u202C \u0645\u0631\u062D\u0628\u0627 \u{1F469}\u200D\u{1F680} \u0000 \uD800",
  "x".repeat(20_000),
  "> ".repeat(500),
  "[[S:0]] [[S:1-1000]] [[s : 999999999]]",
  "| a |\n|---|\n| b | c | d |\n",
  "```\nnever closed",
  "$$\nnever closed \\frac{",
  "$\\frac{1}{$ and \\(\\undefined{x}\\)",
  "[a]: b\n[a][a] ![a][a] [x](fi:turn_1.files/none.md) ![x](fi:turn_1.files/none.png)",
  "- [ ] a\n- [x] b\n  1. c\n\n     ```js\n     d\n     ```",
];

export function oddConversation(): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  let position = 0;
  for (const [index, text] of ODD_TEXTS.entries()) {
    const turn_id = `turn_${index + 1}`;
    const ts = index % 2 === 0 ? "not a time" : "2026-02-09T10:00:00Z";
    const add = (type: string, path: string, body: string, more: Partial<Block> = {}) => {
      const block = { type, turn_id, ts, path, text: body, ...more };
      events.push(makeEvent("block.appended", { position: position++, tokens: 1, version: 1, block }));
    };
    const call = (id: string, body: string) => {
      add("react.tool.call", `tc:${turn_id}.${id}.call`, body);
      add("react.tool.result", `tc:${turn_id}.${id}.result`, text, { mime: "application/json" });
    };
    events.push(makeEvent("turn.opened", { turn_id, ts }));
    add("user.prompt", `ar:${turn_id}.user.prompt`, text);
    add(
      "react.plan",
      `ar:${turn_id}.react.plan.p`,
      JSON.stringify({ plan_id: "p", steps: [text, ""], status: { 1: "odd", 9: "done" } }),
    );
    add("react.notes", `ar:${turn_id}.react.notes.tc_${index}a`, text);
    call(`tc_${index}a`, "no JSON at all");
    call(`tc_${index}b`, JSON.stringify({ tool_id: 7, params: [1, [2, [3]]] }));
    call(`tc_${index}c`, JSON.stringify({ tool_id: "react.read", params: { paths: [null, 5, text.slice(0, 50)] } }));
    add("something.new", `ar:${turn_id}.something`, text);
    add("assistant.completion", `ar:${turn_id}.assistant.completion`, text);
    add("stage.suggested_followups", `ar:${turn_id}.stage.suggested_followups`, JSON.stringify([text, 5, ""]));
    events.push(makeEvent("turn.closed", { turn_id, ts, exit: index % 3 === 0 ? "complete" : "odd" }));
  }
  return events;
}
