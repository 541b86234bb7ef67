/** One turn with a prompt, a PDF, a plan, a search, a patch and an internal note, as the model reads it. */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { printView } from "../../test/print-view.ts";

const turn = "turn_1770603271112_2yz1lp";
const search = { turn, call: "18f62649fb3b", iteration: 0 };
const patch = { turn, call: "6a3f1e0d9b21", iteration: 1 };
const draft = `fi:${turn}.files/draft.md`;
const physical = `${turn}/files/draft.md`;
const rows = JSON.stringify([
  { sid: 1, title: "The 10 best restaurants in Wuppertal", url: "https://wanderlog.com/list/wuppertal" },
  { sid: 2, title: "Wuppertal restaurants", url: "https://www.thefork.com/wuppertal" },
  { sid: 3, title: "Essen in Wuppertal", url: "https://example.com/essen" },
]);
const diff = "--- a/draft.md\n+++ b/draft.md\n@@ -1 +1,2 @@\n # Places to eat\n+1. Wanderlog's first choice [[S:1]]\n";
const plan = {
  plan_id: "plan_abc",
  steps: ["Search top restaurants", "Cross‑check ratings", "Draft ranked list"],
  status: {},
};
const opening: Block[] = [
  make.header(turn),
  make.prompt(turn, "could you find top 3 places to eat here in wuppertal"),
  ...make.attachment(turn, {
    name: "menu.pdf",
    mime: "application/pdf",
    summary: "2‑page menu, prices & address (Wuppertal)",
    base64: "A".repeat(183_942),
  }),
  {
    type: "react.plan",
    turn_id: turn,
    path: `ar:${turn}.react.plan.plan_abc`,
    mime: "application/json",
    text: JSON.stringify(plan),
  },
];
const note: Block = {
  type: "react.note",
  turn_id: turn,
  text: "[D] decided to use Wanderlog + TheFork as primary sources",
  meta: { channel: "internal", tool_call_id: "6a3f1e0d9b21" },
};

const blocks: Block[] = [
  ...opening,
  make.call(search, "web_tools.web_search", { queries: ["top restaurants wuppertal"], n: 3 }),
  make.digest(search, {
    artifact_path: "so:sources_pool[1-3]",
    mime: "application/json",
    kind: "file",
    visibility: "internal",
  }),
  make.blockOf(search, "react.tool.result", "so:sources_pool[1-3]", { mime: "application/json", text: rows }),
  make.notes(patch, "Adding the first place to the draft."),
  make.call(patch, "react.patch", { path: physical, patch: diff }),
  make.digest(patch, {
    artifact_path: draft,
    physical_path: physical,
    mime: "text/markdown",
    kind: "display",
    visibility: "external",
    tokens: 12,
    sources_used: [1],
    edited: true,
  }),
  make.blockOf(patch, "react.tool.result", draft, {
    mime: "text/markdown",
    text: "# Places to eat\n1. Wanderlog's first choice [[S:1]]\n",
    meta: { hosted_uri: "s3://bucket/draft.md", rn: "rn:draft", key: "k", physical_path: physical },
  }),
  make.result(patch, diff, "text/x-diff"),
  make.result(patch, JSON.stringify({ path: physical, ok: true })),
  note,
];

/** The same two calls as older writers stored them: other paths, `call_id`, reasoning and hosting fields in the JSON. */
function older(at: { call: string }, type: string, part: "in" | "out", text: string, mime = "application/json"): Block {
  return { type, turn_id: turn, call_id: at.call, mime, path: `tc:${turn}.tool_calls.${at.call}.${part}.json`, text };
}

function olderCall(at: { call: string }, tool_id: string, params: object): Block {
  const text = JSON.stringify({ tool_id, tool_call_id: at.call, reasoning: "because", params });
  return older(at, "react.tool.call", "in", text);
}

const olderBlocks: Block[] = [
  ...opening,
  olderCall(search, "web_tools.web_search", { queries: ["top restaurants wuppertal"], n: 3 }),
  older(
    search,
    "react.tool.result",
    "out",
    JSON.stringify({ artifact_path: "so:sources_pool[1:2, 3]", kind: "file", visibility: "internal" }),
  ),
  { type: "react.tool.result", turn_id: turn, call_id: search.call, path: "so:sources_pool[3,1-2]", text: rows },
  make.notes(patch, "Adding the first place to the draft."),
  olderCall(patch, "react.patch", { path: physical, patch: diff }),
  older(
    patch,
    "react.tool.result",
    "out",
    JSON.stringify({
      artifact_path: draft,
      kind: "display",
      visibility: "external",
      rn: "ef:x",
      hosted_uri: "s3://x",
      key: "k",
      local_path: "/tmp/x",
      tokens: 12,
      sources_used: [1],
      edited: true,
    }),
  ),
  { type: "react.tool.result", turn_id: turn, call_id: patch.call, path: draft, text: "# Places to eat\n" },
  older(patch, "react.tool.result", "out", diff, "text/x-diff"),
  older(patch, "react.tool.result", "out", JSON.stringify({ path: physical, ok: true })),
  note,
];

describe("a rendered turn", () => {
  it("shows prompt, attachment, plan, search, patch and internal note under their headers", async () => {
    await expect(printView({ blocks })).toMatchFileSnapshot("./rendered-timeline.txt");
  });

  it("looks the same when an older version wrote it", () => {
    expect(printView({ blocks: olderBlocks })).toBe(printView({ blocks }));
  });
});
