/**
 * A first timeline: one turn with an attachment, a search, a report and an answer. Then the example shows the same turn
 * as seen by the model, by path, by its user, and once more from its events.
 */
import {
  type Block,
  composeAnnouncement,
  debugPrint,
  extractCitations,
  formatSelector,
  replaceCitations,
  Timeline,
} from "@cairn/timeline";

// The engine has no clock and no tokenizer of its own, so the same program always prints the same.
const deps = {
  clock: { now: () => Date.parse("2026-02-09T10:00:00Z") },
  countTokens: (text: string) => Math.ceil(text.length / 4),
};
const timeline = Timeline.create(deps);
const turn = "turn_1";

// The user asks, and attaches a file. A blob store would normally hold the bytes; here they are in the block.
const menu = { artifact_path: `fi:${turn}.user.attachments/menu.pdf`, physical_path: `${turn}/attachments/menu.pdf` };
timeline.openTurn(turn);
timeline.contribute([
  { type: "user.prompt", turn_id: turn, path: `ar:${turn}.user.prompt`, text: "Is this menu cheap for Wuppertal?" },
  {
    type: "user.attachment.meta",
    turn_id: turn,
    path: menu.artifact_path,
    text: JSON.stringify({ ...menu, mime: "application/pdf", summary: "2 pages, mains at 14 to 22 euros" }),
  },
  { type: "user.attachment", turn_id: turn, path: menu.artifact_path, mime: "application/pdf", base64: "JVBERi0xLjc=" },
]);
timeline.mergeSources([
  { source_type: "attachment", title: "menu.pdf", mime: "application/pdf", size_bytes: 183_942, ...menu },
]);

// Round 1: a search. Its results become rows of the pool, and the pool gives each page the number for citing it.
const pages = [
  {
    source_type: "web",
    url: "https://example.com/prices",
    title: "Restaurant prices 2026",
    text: "Mains cost 19 euros.",
  },
  {
    source_type: "web",
    url: "https://example.org/wuppertal",
    title: "Eating in Wuppertal",
    text: "Cheaper than Cologne.",
  },
];
const sids = timeline.mergeSources(pages);
const found = `so:sources_pool[${formatSelector(sids)}]`;
timeline.contribute([
  block("tc_1", "react.notes", `ar:${turn}.react.notes.tc_1`, "Looking up usual prices."),
  call("tc_1", "web_tools.web_search", { queries: ["restaurant prices wuppertal"] }),
  result("tc_1", { artifact_path: found, kind: "file", visibility: "internal" }),
  block(
    "tc_1",
    "react.tool.result",
    found,
    JSON.stringify(pages.map(({ url, title }, i) => ({ sid: sids[i], url, title }))),
  ),
]);

// Round 2: a report that cites what was found.
const report = `fi:${turn}.files/report.md`;
const text = "# Prices\n\nMains usually cost 19 euros [[S:2]]. This menu starts at 14 [[S:1]].\n";
const described = {
  artifact_path: report,
  physical_path: `${turn}/files/report.md`,
  kind: "display",
  visibility: "external",
};
timeline.contribute([
  call("tc_2", "react.write", { path: described.physical_path, content: `# Prices... [see ${report}]` }),
  result("tc_2", { ...described, sources_used: extractCitations(text, "markdown") }),
  block("tc_2", "react.tool.result", report, text),
]);

section("What the model sees before it answers");
timeline.announce([composeAnnouncement({ iteration: { current: 3, limit: 15 } })]);
console.log(debugPrint(timeline.render({ includeSources: true, includeAnnounce: true })).trimEnd());

const answer = "Yes: it is below the usual 19 euros [[S:2-3]].";
timeline.contribute([
  {
    type: "assistant.completion",
    turn_id: turn,
    path: `ar:${turn}.assistant.completion`,
    text: answer,
    meta: { sources_used: extractCitations(answer, "markdown") },
  },
]);
timeline.closeTurn("complete");

section("What stands at a path");
console.log(JSON.stringify(timeline.resolve(report), null, 2));

section("What the user sees");
const view = timeline.turn(turn);
console.log(`Q: ${view?.prompt?.text}`);
console.log(`A: ${replaceCitations(view?.completion?.text ?? "", (sid) => timeline.state.pool.get(sid), "markdown")}`);
console.log(`Files: ${view?.files.map((file) => file.physical_path).join(", ")}`);
console.log(`Sources: ${view?.citations.map((row) => `[${row.sid}] ${row.title}`).join(", ")}`);

section("The same from its events");
const events = timeline.takeEvents();
const again = Timeline.fromEvents(events, deps);
console.log(`${events.length} events, same view: ${debugPrint(again.render()) === debugPrint(timeline.render())}`);

function block(callId: string, type: string, path: string, content: string): Block {
  return { type, turn_id: turn, path, text: content, meta: { tool_call_id: callId } };
}

function call(callId: string, tool_id: string, params: object): Block {
  const content = JSON.stringify({ tool_id, tool_call_id: callId, params });
  return block(callId, "react.tool.call", `tc:${turn}.${callId}.call`, content);
}

function result(callId: string, digest: object): Block {
  return block(callId, "react.tool.result", `tc:${turn}.${callId}.result`, JSON.stringify(digest));
}

function section(title: string): void {
  console.log(`\n--- ${title} ---\n`);
}
