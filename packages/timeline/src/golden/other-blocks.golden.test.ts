/** Blocks that belong to no tool call: summaries, answers, stages, notices, and blocks of unknown types. */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { printView } from "../../test/print-view.ts";

const turn = "turn_3";
const at = { turn, call: "tc_1", iteration: 0 };

describe("blocks of every other type", () => {
  it("are shown under their header, or as their text alone", async () => {
    const notice = (text: string): Block => ({
      type: "react.notice",
      turn_id: turn,
      path: `ar:${turn}.react.notice.1`,
      text,
    });
    const blocks: Block[] = [
      { type: "turn.header", turn_id: "turn_1", ts: "2026-02-08T10:00:00Z" },
      make.prompt("turn_1", "Dropped by the summary."),
      {
        type: "conv.range.summary",
        turn_id: turn,
        path: `su:${turn}.conv.range.summary`,
        text: "Goal\nFind three places to eat.",
        meta: { covered_turn_ids: ["turn_1", "turn_2"], compaction_digest: { searches: 1 } },
      },
      make.header(turn),
      make.prompt(turn, "Shorter, please."),
      make.prompt(turn, "And in German.", 2),
      { type: "stage.gate", turn_id: turn, text: "route: react" },
      { type: "agent.log.header", turn_id: turn, text: "Agent log" },
      { type: "x.mood", turn_id: turn, text: "A type from the future.", meta: { hosted_uri: "s3://x" } },
      { type: "x.silent", turn_id: turn },
      { type: "react.thinking", turn_id: turn, text: "never shown" },
      { type: "react.state", turn_id: turn, text: "never shown" },
      notice(JSON.stringify({ code: "protocol_violation.bad_params", message: "`n` must be a number." })),
      notice(JSON.stringify({ code: "protocol_violation.path_rewritten", from: "a.md", to: "turn_3/files/a.md" })),
      notice("plain words"),
      {
        type: "react.plan.ack",
        turn_id: turn,
        path: `ar:${turn}.react.plan.ack.1`,
        text: "✓ 1. Locate sources\n… 2. Draft report",
      },
      {
        type: "react.plan",
        turn_id: turn,
        path: `ar:${turn}.react.plan.p1`,
        text: JSON.stringify({
          plan_id: "p1",
          steps: ["Locate sources", "Draft report", "Check", "Send"],
          status: { "1": "done", "2": "in_progress", "3": "failed" },
        }),
      },
      make.completion(turn, "Drei Orte: A [[S:1]], B [[S:2]].\nGuten Appetit!\n\n\n", [1, 2]),
      make.followups(turn, ["Wie komme ich hin?"]),
      { type: "turn.feedback", turn_id: turn, text: "The user liked this answer." },
      { type: "react.exit", turn_id: turn, text: "complete" },
      { type: "system.message", turn_id: turn, text: "Maintenance at noon." },
    ];
    await expect(printView({ blocks })).toMatchFileSnapshot("./other-blocks.txt");
  });
});

describe("a call that never settled", () => {
  const call = make.call(at, "web_tools.web_search", { queries: ["x"], n: 1 });

  it("shows an error after the last checkpoint while its outcome may still arrive", async () => {
    const blocks = [make.header(turn), make.prompt(turn, "Search."), make.notes(at, "Searching."), call];
    await expect(printView({ blocks })).toMatchFileSnapshot("./interrupted-open.txt");
  });

  it("shows the error permanently before the block that proves the outcome lost", async () => {
    const next = { turn, call: "tc_2", iteration: 1 };
    const blocks = [
      make.header(turn),
      make.prompt(turn, "Search."),
      call,
      make.notes(next, "The search was lost; reading instead."),
      make.call(next, "react.read", { paths: ["so:sources_pool[1]"] }),
      make.header("turn_4"),
      make.prompt("turn_4", "Still there?"),
    ];
    await expect(printView({ blocks })).toMatchFileSnapshot("./interrupted-closed.txt");
  });

  it("shows an error that a tool reported as the status of its summary", async () => {
    const error = { code: "missing_artifact", message: "Artifact 'report_md' not produced", details: { a: 1 } };
    const text = JSON.stringify({
      tool_id: "exec_tools.execute_code_python",
      tool_call_id: "tc_1",
      error,
      ts: "2026-02-09T03:15:49Z",
    });
    const blocks = [
      make.header(turn),
      make.prompt(turn, "Run it."),
      make.call(at, "exec_tools.execute_code_python", {}),
      make.result(at, text),
    ];
    await expect(printView({ blocks })).toMatchFileSnapshot("./tool-error.txt");
  });
});
