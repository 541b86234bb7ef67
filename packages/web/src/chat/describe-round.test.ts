import type { OutcomeView, RoundView } from "@cairn/timeline";
import { expect, test } from "vitest";
import { describeFailures, describeRound, describeWork } from "./describe-round.ts";

const round = (tool_id: string, params: RoundView["params"], status: RoundView["status"] = "ok"): RoundView => ({
  ...{
    call_id: "tc_1",
    tool_id,
    params,
    status,
    notes: null,
    sources_known: 0,
    code: null,
    started_at: null,
    settled_at: null,
  },
  ...{ results: [], error: null, files: [], outcome: null },
});
const ended = (given: RoundView, kind: OutcomeView["kind"]): RoundView => ({
  ...given,
  outcome: { kind, reason: "why" },
});

test.each([
  [round("react.read", { paths: ["fi:turn_1.user.attachments/menu.pdf"] }), "Read menu.pdf"],
  [round("react.read", { paths: ["fi:a.files/a.md", "fi:a.files/b.md"] }), "Read a.md and 1 more"],
  [round("react.write", { path: "turn_1/files/report.md" }), "Wrote report.md"],
  [round("react.write", { path: "turn_1/files/report.md" }, "running"), "Write report.md"],
  [round("react.write", { path: "x/files/note.md", channel: "internal" }), "Noted something for later"],
  [round("web_tools.web_search", { queries: ["tides"] }), "Searched for “tides”"],
  [round("web_tools.web_fetch", { urls: ["https://example.com/a"] }), "Read example.com"],
  [
    round("web_tools.web_fetch", { urls: ["corpus:///a/mountain-rescue.md", "x"] }),
    "Read mountain-rescue.md and 1 more",
  ],
  [ended(round("exec_tools.execute_code_python", { prog_name: "sum" }), "ok"), "Ran Python sum"],
  [ended(round("exec_tools.execute_code_python", { prog_name: "sum" }), "failed"), "Run Python sum"],
  [ended(round("web_tools.web_fetch", { urls: ["https://example.com/a"] }), "partly_failed"), "Read example.com"],
  [round("mcp.github.list_issues", {}), "github: list issues"],
  [round("shop.find", null), "shop: find"],
  [round("react.read", "not an object"), "Read"],
])("a round is said in plain words", (given, words) => {
  expect(describeRound(given).words).toBe(words);
});

test("the failures of a turn are counted in words", () => {
  const call = round("shop.find", {});
  expect(describeFailures([call, ended(call, "ok")])).toBe("");
  expect(describeFailures([ended(call, "failed"), ended(call, "refused"), ended(call, "failed")])).toBe(
    "2 failed, 1 refused",
  );
  expect(describeFailures([ended(call, "partly_failed")])).toBe("1 partly failed");
});

test("the work of a turn is one line, however much it was", () => {
  const read = round("react.read", { paths: ["fi:a.files/a.md"] });
  const plan = round("react.plan", { mode: "new" });
  const write = round("react.write", { path: "a/files/r.md" });
  expect(describeWork([plan, read, read, write])).toBe("Made a plan, read a.md (2×), wrote r.md");
  expect(describeWork([plan, read, write, round("shop.find", {}), round("shop.buy", {})])).toMatch(/and 2 more$/);
  expect(describeWork([])).toBe("");
});
