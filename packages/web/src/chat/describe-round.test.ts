import { emptyView, type JsonObject, makeEvent, type OutcomeView, type RoundView, viewEvents } from "@cairn/timeline";
import { expect, test } from "vitest";
import { describeFailures, describeRound, describeWork, troubleOf } from "./describe-round.ts";

/** A round whose call records no traits, or the given traits. */
function round(
  tool_id: string,
  params: RoundView["params"],
  status: RoundView["status"] = "ok",
  traits?: unknown,
): RoundView {
  const at = { turn_id: "turn_1", call_id: "tc_1", ts: "2026-02-09T10:00:00.000Z" };
  const meta = { tool_call_id: "tc_1", ...(traits === undefined ? {} : { traits: traits as JsonObject }) };
  const block = { type: "react.tool.call", turn_id: "turn_1", text: JSON.stringify({ tool_id, params }), meta };
  const events = [
    makeEvent("turn.opened", at),
    makeEvent("block.appended", { position: 0, block, tokens: 1, version: 0 }),
    makeEvent("call.started", { ...at, tool_id }),
  ];
  const view = viewEvents(
    events.map((event, nth) => ({ seq: nth + 1, event })),
    emptyView(),
  );
  const [made] = view.turns[0]?.rounds ?? [];
  if (made === undefined) throw new Error("The call made no round.");
  return { ...made, status };
}
const ended = (given: RoundView, kind: OutcomeView["kind"]): RoundView => ({
  ...given,
  outcome: { kind, reason: "why" },
});

const FOUND = { icon: "search", done: "Found", doing: "Find", shows: { params: ["what"], as: "quote" } };

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
  [round("react.plan", { mode: "close" }), "Closed the plan"],
  [round("react.note", { replaces: "x" }), "Noted that something no longer holds"],
  [round("shop.find", { what: ["tea", "milk"] }, "ok", { label: FOUND }), "Found “tea” and 1 more"],
  [round("shop.find", { what: "tea" }, "running", { label: FOUND }), "Find “tea”"],
  [round("shop.find", { what: "tea" }, "ok", { label: "broken" }), "shop: find"],
  [round("shop.find", { what: "tea" }, "ok", { label: { ...FOUND, shows: "what" } }), "shop: find"],
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
  const error = { code: "tool_cancelled", message: "The call was stopped before it finished." };
  expect(describeFailures([{ ...ended(call, "failed"), error }])).toBe("");
  expect(troubleOf({ ...ended(call, "failed"), error })).toBe("stopped");
});

test("the work of a turn is one line of any amount of work", () => {
  const read = round("react.read", { paths: ["fi:a.files/a.md"] });
  const plan = round("react.plan", { mode: "new" });
  const write = round("react.write", { path: "a/files/r.md" });
  expect(describeWork([plan, read, read, write])).toBe("Made a plan, read a.md (2×), wrote r.md");
  expect(describeWork([plan, read, write, round("shop.find", {}), round("shop.buy", {})])).toMatch(
    /, and 2 more steps$/,
  );
  expect(describeWork([])).toBe("");
});
