/**
 * Tests the outcomes of calls, as every view shows them: the status `ok` in the journal does not mean that a call
 * succeeded.
 */
import { make } from "@cairn/testkit/conversation";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../../block/block.ts";
import { readExecReport } from "../../exec/read-report.ts";
import { execReport } from "../../exec/report.ts";
import { Timeline } from "../../timeline.ts";
import { emptyView } from "../conversation-view.ts";
import { viewEvents } from "../view-event.ts";
import type { RoundView } from "./turn-view.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };
const at = { turn: "turn_1", call: "tc_a", iteration: 1 };
const ts = "2026-02-09T02:14:32.000Z";

type Settled = "ok" | "error" | "interrupted";

/**
 * The round of one call. Without an outcome, the times of its beginning and end are unknown, as in journals of older
 * programs.
 */
function roundOf(tool: string, blocks: readonly Block[], settled: Settled | null = "ok"): RoundView {
  const timeline = Timeline.create(deps);
  timeline.openTurn("turn_1");
  timeline.contribute([make.call(at, tool, {})]);
  const call = { turn_id: "turn_1", call_id: "tc_a", tool_id: tool, ts };
  if (settled !== null) timeline.record("call.started", call);
  timeline.contribute(blocks);
  if (settled !== null) timeline.record("call.settled", { call_id: "tc_a", outcome: settled, ts });
  const events = timeline.takeEvents().map((event, index) => ({ seq: index + 1, event }));
  const round = viewEvents(events, emptyView()).turns[0]?.rounds[0];
  if (round === undefined) throw new Error("no round");
  return round;
}

const outcomeOf = (...given: Parameters<typeof roundOf>) => roundOf(...given).outcome;
const python = "exec_tools.execute_code_python";
const report = (outcome: Parameters<typeof execReport>[0]) => [make.result(at, execReport(outcome), "text/markdown")];
const OK = { kind: "ok", reason: null };

describe("a program", () => {
  it("a program that ended with an error has failed, though its call settled as ok", () => {
    const runtime_error = { code: "execution_failed", message: "ZeroDivisionError: division by zero" };
    const reason = "execution_failed — ZeroDivisionError: division by zero";
    for (const settled of ["ok", null] as const)
      expect(outcomeOf(python, report({ runtime_error, log: "x" }), settled)).toEqual({ kind: "failed", reason });
    expect(roundOf(python, report({ runtime_error })).status).toBe("ok");
  });

  it("a program that did not make a file has failed in part, and completely when it made none", () => {
    const gone = { path: "turn_1/files/a.md", ok: false };
    const made = { path: "turn_1/files/b.md", ok: true };
    const reason = "turn_1/files/a.md: file not produced";
    expect(outcomeOf(python, report({ files: [gone, made] }))).toEqual({ kind: "partly_failed", reason });
    expect(outcomeOf(python, report({ files: [gone] }))).toEqual({ kind: "failed", reason });
    expect(outcomeOf(python, report({ files: [made] }))).toEqual(OK);
  });

  it("is judged by its report, whatever it prints", () => {
    const line = fc.constantFrom(
      "Runtime error: x",
      "File errors:",
      "- a: b",
      "Succeeded:",
      "Program log (tail):",
      "x",
    );
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const file = fc.record({ path: word, ok: fc.boolean(), error: word });
    fc.assert(
      fc.property(
        fc.option(fc.record({ code: word, message: word })),
        fc.array(file, { maxLength: 4 }),
        fc.array(line, { maxLength: 6 }),
        (runtime_error, files, log) => {
          const read = readExecReport(execReport({ runtime_error, files, log: log.join("\n") }));
          expect(read).toEqual({
            runtimeError: runtime_error === null ? null : `${runtime_error.code} — ${runtime_error.message}`,
            failed: files.filter(({ ok }) => !ok).map(({ path, error }) => `${path}: ${error}`),
            succeeded: files.filter(({ ok }) => ok).length,
          });
        },
      ),
      { numRuns: runs },
    );
  });
});

describe("a fetch", () => {
  const error = { code: "http_error", message: "The server answered 404." };
  const pages = (content: unknown) => [
    make.digest(at, { artifact_path: "tc:turn_1.tc_a.result", mime: "application/json" }),
    make.result(at, JSON.stringify(content)),
  ];
  const fetched = (content: unknown, settled: Settled | null = "ok") =>
    outcomeOf("web_tools.web_fetch", pages(content), settled);

  it("with a missing page has failed in part, however long the other pages are", () => {
    for (const content of ["short", "x".repeat(50_000)])
      expect(fetched({ "https://a.example": { sid: 1, content }, "https://b.example": { error } })).toEqual({
        kind: "partly_failed",
        reason: "1 of 2 pages: https://b.example: The server answered 404.",
      });
  });

  it("with every page missing has failed", () => {
    expect(fetched({ "https://b.example": { error } })).toMatchObject({ kind: "failed" });
  });

  it("is successful when a page is about an error", () => {
    expect(fetched({ "https://a.example": { sid: 1, content: '{"error": {"code": "x"}}' } })).toEqual(OK);
  });
});

describe("a read", () => {
  const status = (paths: string[], missing: string[], more: readonly Block[] = []) => [
    make.result(at, JSON.stringify({ paths, missing, missing_skills: [], exists_in_visible_context: [] })),
    ...more,
  ];

  it("with a missing path has failed in part, and completely when all are missing", () => {
    expect(outcomeOf("react.read", status(["fi:a.md", "fi:b.md"], ["fi:b.md"]))).toEqual({
      kind: "partly_failed",
      reason: "Not found: fi:b.md",
    });
    expect(outcomeOf("react.read", status(["fi:b.md"], ["fi:b.md"]))).toMatchObject({ kind: "failed" });
    expect(outcomeOf("react.read", status(["so:sources_pool[1-2]"], ["so:sources_pool[2]"]))).toMatchObject({
      kind: "partly_failed",
    });
  });

  it("of one unreadable file has failed; beside one that was read, it has failed in part", () => {
    const error = { code: "unreadable", message: "Encrypted." };
    // The stored block of an unreadable file has no text.
    const unreadable = [
      make.digest(at, { artifact_path: "fi:a.pdf", error }),
      make.blockOf(at, "react.tool.result", "fi:a.pdf", { mime: "application/pdf" }),
    ];
    const other = make.blockOf(at, "react.tool.result", "fi:b.md", { text: "B" });
    const read = (paths: string[], total_tokens: number) =>
      make.result(at, JSON.stringify({ paths, missing: [], unreadable: ["fi:a.pdf"], total_tokens }));
    for (const path of ["fi:a.pdf", "so:sources_pool[1]"])
      expect(outcomeOf("react.read", [read([path], 0), ...unreadable], "error")).toEqual({
        kind: "failed",
        reason: "Encrypted.",
      });
    const both = [read(["fi:a.pdf", "fi:b.md"], 1), ...unreadable, other];
    expect(outcomeOf("react.read", both, "error")).toEqual({ kind: "partly_failed", reason: "Unreadable: fi:a.pdf" });
  });

  it("a read that shows the failure of another call has not failed", () => {
    const failure = JSON.stringify({ tool_id: "shop.ship", error: { code: "gone", message: "Gone." } });
    const readBack = make.blockOf(at, "react.tool.result", "tc:turn_1.tc_0.result", { text: failure });
    for (const settled of ["ok", null] as const) {
      const path = "tc:turn_1.tc_0.result";
      const round = roundOf("react.read", status([path], [], [readBack]), settled);
      expect(round).toMatchObject({ status: "ok", error: null, outcome: OK });
      expect(round.results.at(-1)).toMatchObject({ path, text: failure });
    }
    const earlier = JSON.stringify({ paths: ["fi:a.md"], missing: ["fi:a.md"], total_tokens: 0 });
    const readAgain = make.blockOf(at, "react.tool.result", "tc:turn_1.tc_0.result", { text: earlier });
    expect(outcomeOf("react.read", status(["tc:turn_1.tc_0.result"], [], [readAgain]))).toEqual(OK);
  });
});

describe("a call", () => {
  const failed = (code: string, message = "Why.") => [make.digest(at, { error: { code, message } })];

  it("without consent was refused", () => {
    for (const code of ["approval_denied", "tool_unavailable"])
      expect(outcomeOf("shop.order", failed(code), "error")).toEqual({ kind: "refused", reason: "Why." });
  });

  it("a call that returned an error has failed, even if it also returned a value", () => {
    const value = make.result(at, '{"left":["coffee"]}');
    for (const settled of ["error", null] as const) {
      expect(outcomeOf("shop.order", failed("x"), settled)).toEqual({ kind: "failed", reason: "Why." });
      expect(outcomeOf("shop.order", [...failed("x"), value], settled)).toEqual({ kind: "failed", reason: "Why." });
    }
    expect(outcomeOf("shop.order", failed("tool_interrupted"), "interrupted")).toMatchObject({ kind: "failed" });
    expect(outcomeOf("shop.order", [value])).toEqual(OK);
  });

  it("a call that left something out, according to a notice, has failed in part", () => {
    const notice = make.notice(at, "tool_call_error.missing_assets", "gone.png was not found.");
    const made = make.file(at, { name: "a.pdf", mime: "application/pdf" });
    expect(outcomeOf("rendering_tools.write_pdf", [notice, ...made])).toEqual({
      kind: "partly_failed",
      reason: "gone.png was not found.",
    });
    const hint = make.notice(at, "protocol_violation.path_rewritten", "Elsewhere.");
    expect(outcomeOf("rendering_tools.write_pdf", [hint, ...made])).toEqual(OK);
  });

  it("with an internal result is successful, and its outcome reveals nothing of the result", () => {
    const internal = make.blockOf(at, "react.tool.result", "fi:turn_1.files/a.md", {
      text: "secret",
      meta: { digest: { visibility: "internal" } },
    });
    for (const settled of ["ok", null] as const) expect(outcomeOf("react.write", [internal], settled)).toEqual(OK);
  });

  it("has no outcome while it is open", () => {
    const timeline = Timeline.create(deps);
    timeline.openTurn("turn_1");
    timeline.contribute([make.call(at, "shop.order", {})]);
    const events = timeline.takeEvents().map((event, index) => ({ seq: index + 1, event }));
    expect(viewEvents(events, emptyView()).turns[0]?.rounds[0]).toMatchObject({ status: "running", outcome: null });
  });
});
