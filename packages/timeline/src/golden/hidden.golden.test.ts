/** Overlays of a stored payload: the text that is shown in place of blocks that were hidden or pruned. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { printPayload } from "../../test/print-view.ts";

function covered(block: Block, by: string | null, replacement_text?: string): Block {
  const overlay = { hidden: true, ...(by === null ? {} : { hidden_by: by }) };
  return {
    ...block,
    meta: { ...block.meta, ...overlay, ...(replacement_text === undefined ? {} : { replacement_text }) },
  };
}

it("a block hidden by the agent says how to read it again, and a pruned one shows only its replacement", async () => {
  const old = { turn: "turn_1", call: "tc_old", iteration: 0 };
  const now = { turn: "turn_2", call: "tc_now", iteration: 0 };
  const [digest, content] = make.file(now, { name: "log.txt", mime: "text/plain", text: "line\n".repeat(900) });
  const [picture] = make.file(old, { name: "chart.png", mime: "image/png", base64: "iVBORw0KGgo=" }).slice(1);
  if (digest === undefined || content === undefined || picture === undefined) throw new Error("a file is two blocks");
  const blocks = [
    make.header("turn_1"),
    covered(make.prompt("turn_1", "A long question ".repeat(40)), "ttl", "[TRUNCATED] A long question A long question"),
    make.call(old, "exec_tools.execute_code_python", { prog_name: "chart" }),
    covered(picture, "ttl", "[TRUNCATED FILE] path=fi:turn_1.files/chart.png mime=image/png size=20480"),
    make.completion("turn_1", "Here is the chart."),
    make.header("turn_2"),
    make.prompt("turn_2", "And the log?"),
    make.call(now, "react.read", { paths: ["fi:turn_2.files/log.txt"] }),
    digest,
    covered(content, "agent", "900 lines, no errors"),
    {
      type: "system.message",
      turn_id: "turn_2",
      text: "[SYSTEM MESSAGE] Context was pruned because the session TTL (300s) was exceeded.\nUse react.read(path) to restore a logical path (fi:/ar:/so:/sk:).",
      meta: { kind: "cache_ttl_pruned", ttl_seconds: 300 },
    },
  ];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./hidden.txt");
});

it("a group shows one replacement, and `hidden` without `hidden_by` means that the agent hid it", async () => {
  const at = { turn: "turn_1", call: "tc_1", iteration: 0 };
  const blocks = [
    make.header("turn_1"),
    make.prompt("turn_1", "Search."),
    make.call(at, "mcp.search.query", { query: "x" }),
    covered(make.result(at, "a".repeat(2_000), "text/plain"), null, "First half of the hits"),
    covered(make.result(at, "b".repeat(2_000), "text/plain"), null),
    covered(make.notes({ ...at, call: "tc_2" }, "A note the policy dropped."), "policy", "[TRUNCATED] A note"),
  ];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./hidden-group.txt");
});
