/**
 * What stays in view: a long conversation in a small window. Content is hidden, the cache expires, the window fills up,
 * and all content can still be read by its path.
 */
import { finishMaintenance, maintain, Timeline } from "@cairn/timeline";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const timeline = Timeline.create({ clock: { now: () => Date.parse("2026-02-09T10:00:00Z") }, countTokens });
const budget = { maxTokens: 6_000, systemTokens: 300 };
let now = 1_770_631_200; // Epoch seconds.

for (let n = 1; n <= 18; n++) {
  const turn = `turn_${n}`;
  const call = { turn_id: turn, meta: { tool_call_id: `tc_${n}` } };
  now += n === 13 ? 900 : 60; // Before turn 13 the user is away for a quarter of an hour.
  timeline.openTurn(turn);
  const wish = n === 2 ? " From now on, give prices in euros." : "";
  timeline.contribute([
    { type: "user.prompt", turn_id: turn, path: `ar:${turn}.user.prompt`, text: `Where to eat on day ${n}?${wish}` },
  ]);

  // Before every request: prune if the provider's cache has expired, and compact if the request would not fit.
  const maintenance = maintain(timeline, { prune: { now }, budget });
  const { resets, compaction } = finishMaintenance(timeline, maintenance, prose());
  for (const { cause, blocks } of resets) console.log(`${turn}: ${cause}, ${blocks} blocks`);
  if (compaction) console.log(`${turn}: ${compaction.before_tokens} tokens became ${compaction.after_tokens}`);

  const params = JSON.stringify({ tool_id: "maps.find", tool_call_id: `tc_${n}`, params: { day: n } });
  timeline.contribute([
    { ...call, type: "react.tool.call", path: `tc:${turn}.tc_${n}.call`, text: params },
    { ...call, type: "react.tool.result", path: `tc:${turn}.tc_${n}.result`, text: places(n) },
    {
      type: "assistant.completion",
      turn_id: turn,
      path: `ar:${turn}.assistant.completion`,
      text: `Place ${n}, 12 euros.`,
    },
  ]);
  timeline.closeTurn("complete");
}

// The agent hides a result that it no longer needs.
const hidden = timeline.hide({ paths: ["tc:turn_18.tc_18.result"], replacement: "places for day 18" });
console.log(`hidden: ${hidden.blocks_hidden} block, ${hidden.tokens_hidden} tokens\n`);

const [summary] = timeline.render().messages();
console.log(summary?.type === "text" ? summary.text : "");
console.log(`read back: ${timeline.resolve("tc:turn_18.tc_18.result")?.text?.slice(0, 40)}...`);

function places(day: number): string {
  return Array.from(
    { length: day === 1 ? 110 : 25 },
    (_, i) => `Day ${day}, place ${i + 1}: open, mains at ${10 + i} euros.`,
  ).join("\n");
}

function prose() {
  return { summary: "Goal: a place to eat for each day. Progress: days so far are settled.", prefix: null };
}
