/**
 * One request in both lowerings: what is sent to Anthropic for a turn with two calls, as text and in the provider's own
 * roles.
 */
import { type Block, composeAnnouncement, FLAT_1, lowerView, NATIVE_1, Timeline } from "@cairn/timeline";

const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => Math.ceil(text.length / 4) });
const turn = "turn_1";

timeline.openTurn(turn);
timeline.contribute([
  { type: "user.prompt", turn_id: turn, path: `ar:${turn}.user.prompt`, text: "Which town is warmer?" },
  block("tc_a", "react.notes", `ar:${turn}.react.notes.tc_a`, "I look at both."),
  call("tc_a", { town: "Bonn" }),
  call("tc_b", { town: "Kiel" }),
  // The second call finished first.
  block("tc_b", "react.tool.result", `tc:${turn}.tc_b.result`, "11 degrees"),
  block("tc_a", "react.tool.result", `tc:${turn}.tc_a.result`, "14 degrees"),
]);
timeline.announce([composeAnnouncement({ iteration: { current: 2, limit: 15 } })]);
const view = timeline.render({ includeAnnounce: true });

for (const lowering of [FLAT_1, NATIVE_1]) {
  const { body } = lowerView(view, { system: "", tools: [], lowering }, "anthropic");
  console.log(`--- ${lowering.name} ---\n${JSON.stringify(body.messages, null, 2)}\n`);
}

function block(callId: string, type: string, path: string, text: string): Block {
  return { type, turn_id: turn, path, mime: "text/plain", text, meta: { tool_call_id: callId, iteration: 1 } };
}

function call(callId: string, params: object): Block {
  const text = JSON.stringify({ tool_id: "weather", tool_call_id: callId, params });
  return block(callId, "react.tool.call", `tc:${turn}.${callId}.call`, text);
}
