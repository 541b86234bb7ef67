/**
 * One conversation with every tool of the built-in agent, over a simulated provider: search, fetch, a report with
 * citations as PDF, DOCX, PPTX and PNG, a program that reads an attachment and draws a chart, a tool of an MCP server,
 * and all of it read again. Checks what each leaves on the timeline, in the pool, in the workspace and in the next
 * request; and that no request of the conversation breaks the prefix of the previous one.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withFoundTools } from "@cairn/agent";
import type { SourceRow } from "@cairn/timeline";
import { LOCAL_SCOPE, loadSettings, type OpenedAgent, openAgent } from "cairn-agent/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MessageReply } from "../models/index.ts";
import { tryBubblewrap, tryDeno } from "../sandbox/index.ts";
import { TEST_LIBRARY } from "../search/test-library.ts";
import { callOf, type PlayedTurn, playTurn } from "./played-turn.ts";
import { toldRequests } from "./told-requests.ts";
import { TurnBench } from "./turn-bench.ts";

const MCP_SERVER = fileURLToPath(new URL("../../../tools/test/test-server.ts", import.meta.url));
const sandboxes = [await tryBubblewrap(), await tryDeno()];
const sandbox = sandboxes.find(({ missing }) => missing === null)?.sandbox.name ?? null;

const REPORT =
  "# Rescue\n\nThe team is called out about thirty times a year [[S:1]].\n\n- Work stops in wind [[S:2]].\n";
const FORMATS = ["pdf", "docx", "pptx", "png"] as const;
const SHOWN = new Set<string>(["pdf", "png"]);
const TABLE = "winter,calls\n2023,2\n2024,6\n2025,3\n";

/** Draws a chart as a picture a model can see, with nothing but the standard library. */
const CHART = String.raw`
import csv, os, struct, zlib
rows = list(csv.DictReader(open(os.path.join(OUTPUT_DIR, "{turn}/attachments/calls.csv"))))
values = [int(row["calls"]) for row in rows]
width, height = 40 * len(values), 80
def pixel(x, y):
    return b"\x20\x60\xc0" if height - y <= values[x // 40] * 10 and x % 40 > 6 else b"\xff\xff\xff"
lines = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(width)) for y in range(height))
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
with open(os.path.join(OUTPUT_DIR, "{turn}/files/chart.png"), "wb") as chart:
    chart.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)))
    chart.write(chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))
print("calls:", sum(values), "|", ctx_tools.fetch_ctx("so:sources_pool[1]")[0]["title"])
`;

describe.skipIf(sandbox === null)("a conversation with every tool", { timeout: 300_000 }, () => {
  let opened: OpenedAgent;
  let bench: TurnBench;
  let folder: string;
  const played: PlayedTurn[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-all-tools-"));
    const settings = await loadSettings({ cwd: folder, env: { CAIRN_SEARCH: `corpus:${TEST_LIBRARY}` } });
    const zoo = { command: process.execPath, args: [MCP_SERVER], allow: ["weather"], approval: "never" };
    opened = await openAgent({ ...settings, tools: { ...settings.tools, sandbox, mcp: { zoo } } }, {}, null);
    const { instructions, tools = [] } = await withFoundTools(opened.agent, LOCAL_SCOPE, new AbortController().signal);
    bench = await TurnBench.open({ agent: { instructions, tools } });
    const play = async (message: string, ...replies: readonly MessageReply[]) => {
      played.push(await playTurn(bench, replies, message));
    };
    await play(
      "Write a report on rescue, in every format.",
      callOf("web_tools.web_search", { queries: ["mountain rescue team"], n: 2 }, "Looking for sources."),
      callOf("web_tools.web_fetch", { urls: ["corpus:///mountain-rescue.md"] }),
      callOf("react.write", { path: "{turn}/files/report.md", channel: "canvas", kind: "file", content: REPORT }),
      {
        text: "Making the documents.",
        calls: FORMATS.map((format) => ({
          name: `rendering_tools__write_${format}`,
          input: { path: `{turn}/files/report.${format}`, content: "ref:fi:{turn}.files/report.md" },
        })),
      },
    );

    await bench.attach("calls.csv", "text/csv", TABLE);
    await play(
      "Draw the calls.",
      callOf("exec_tools.execute_code_python", { contract: ["{turn}/files/chart.png"], code: CHART }, "Drawing."),
    );
    await play("And the weather?", callOf("mcp.zoo.weather", { city: "Hollin" }));
    const paths = ["so:sources_pool[1-2]", "fi:{first}.files/report.docx", "tc:{turn}.none.result"];
    await play("Read it all again.", callOf("react.read", { paths }));
  }, 300_000);

  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const turn = (n: number): PlayedTurn => {
    const found = played[n - 1];
    if (found === undefined) throw new Error(`turn ${n} was not played`);
    return found;
  };
  const pool = async (): Promise<readonly SourceRow[]> => (await bench.store.load(bench.key)).state.pool.rows();

  it("searches, fetches, writes and renders: each leaves its blocks in order", () => {
    const documents = turn(1).sequence.filter(
      (line) => /C[4-7]/.test(line) || /report\.(?:pdf|docx|pptx|png)$/.test(line),
    );
    expect(turn(1).sequence.slice(0, 10)).toEqual([
      "react.notes ar:T1.react.notes.C1",
      "react.tool.call tc:T1.C1.call",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result so:sources_pool[1-2]",
      "react.tool.call tc:T1.C2.call",
      "react.tool.result tc:T1.C2.result",
      "react.tool.result tc:T1.C2.result",
      "react.tool.call tc:T1.C3.call",
      "react.tool.result tc:T1.C3.result",
      "react.tool.result fi:T1.files/report.md",
    ]);
    expect(documents[0]).toBe("react.notes ar:T1.react.notes.C4");
    for (const [nth, format] of FORMATS.entries()) {
      const call = `C${nth + 4}`;
      const at = documents.indexOf(`react.tool.result tc:T1.${call}.result`);
      expect(documents).toContain(`react.tool.call tc:T1.${call}.call`);
      expect(documents[at + 1]).toBe(`react.tool.result fi:T1.files/report.${format}`);
    }
  });

  it("cites rows of the pool, which keep their numbers in the file and in every document", async () => {
    const [found] = turn(1).contents("react.tool.result so:sources_pool[1-2]");
    expect(found).toMatchObject([
      { sid: 1, title: "Mountain rescue", url: "corpus:///mountain-rescue.md" },
      { sid: 2 },
    ]);
    const [, page] = turn(1).contents("react.tool.result tc:T1.C2.result");
    expect(page).toMatchObject({ "corpus:///mountain-rescue.md": { sid: 1, title: "Mountain rescue" } });
    for (const call of ["C3", "C4", "C5", "C6", "C7"])
      expect(turn(1).contents(`react.tool.result tc:T1.${call}.result`)[0]).toMatchObject({
        kind: "file",
        visibility: "external",
        sources_used: [1, 2],
      });
    const rows = await pool();
    expect(rows.slice(0, 2)).toMatchObject([
      { sid: 1, source_type: "web" },
      { sid: 2, source_type: "web" },
    ]);
    const files = rows.flatMap(({ artifact_path }) => (typeof artifact_path === "string" ? [artifact_path] : []));
    // Readable and visible files can be cited: text, PDF and pictures; Word documents and slides cannot.
    expect(files.map((path) => path.slice(path.lastIndexOf("/") + 1)).sort()).toEqual(
      ["calls.csv", "chart.png", "report.md", "report.pdf", "report.png"].sort(),
    );
  });

  it("shows a PDF and a picture to the model, and describes the other files", () => {
    for (const [nth, format] of FORMATS.entries()) {
      const tool = `rendering_tools.write_${format}`;
      expect(turn(1).shown).toContain(`[TOOL RESULT C${nth + 4}].summary ${tool}\nStatus: success`);
      expect(turn(1).shown.includes(`[TOOL RESULT C${nth + 4}].artifact ${tool}`)).toBe(SHOWN.has(format));
    }
    expect(turn(1).shown).not.toContain("hosted_uri");
    expect(turn(1).shown).toContain('SOURCES POOL (5 sources)\n[S:1] corpus  |  "Mountain rescue"');
  });

  it("leaves documents in the workspace that have the format of their names", async () => {
    const beginnings = { pdf: "%PDF-", docx: "PK\x03\x04", pptx: "PK\x03\x04", png: "\x89PNG" };
    const [{ turn_id: first = "" } = {}] = await bench.blocks();
    for (const format of FORMATS) {
      const bytes = await readFile(join(bench.folder, "out", first, "files", `report.${format}`), "latin1");
      expect(bytes.startsWith(beginnings[format])).toBe(true);
    }
  });

  it("runs a program on an attachment: code, call, report, digest and the chart, which the model is shown", () => {
    expect(turn(2).sequence).toEqual([
      "user.attachment.meta fi:T2.user.attachments/calls.csv",
      "user.attachment fi:T2.user.attachments/calls.csv",
      "react.notes ar:T2.react.notes.C8",
      "react.tool.code fi:T2.code.C8",
      "react.tool.call tc:T2.C8.call",
      "react.tool.result tc:T2.C8.result",
      "react.tool.result tc:T2.C8.result",
      "react.tool.result fi:T2.files/chart.png",
    ]);
    expect(turn(2).contents("react.tool.result tc:T2.C8.result")[0]).toBe(
      "Runtime error: none\nSucceeded:\n- T2/files/chart.png\nProgram log (tail):\ncalls: 11 | Mountain rescue\n",
    );
    expect(turn(2).shown).toContain("logical_path: fi:T2.files/chart.png\nphysical_path: T2/files/chart.png");
  });

  it("calls a tool of an MCP server, and reads results of earlier turns by path, status first", () => {
    expect(turn(3).sequence).toEqual(["react.tool.call tc:T3.C9.call", "react.tool.result tc:T3.C9.result"]);
    expect(turn(3).contents("react.tool.result tc:T3.C9.result")).toEqual([{ city: "Hollin", degrees: 21 }]);
    expect(turn(4).sequence.slice(0, 2)).toEqual([
      "react.tool.call tc:T4.C10.call",
      "react.tool.result tc:T4.C10.result",
    ]);
    expect(turn(4).sequence).toContain("react.tool.result so:sources_pool[1-2]");
    expect(turn(4).sequence).toContain("react.tool.result fi:T1.files/report.docx");
    expect(turn(4).contents("react.tool.result tc:T4.C10.result")[0]).toMatchObject({ missing: ["tc:T4.none.result"] });
  });

  it("sends tools and instructions that never change, and a prefix that only grows", async () => {
    const sent = bench.simulator.requests.map(({ body }) => JSON.stringify([body?.tools, body?.system]));
    expect(new Set(sent).size).toBe(1);
    const told = await toldRequests(bench.store, bench.key, bench.simulator.requests);
    expect(told).toHaveLength(bench.simulator.requests.length);
    for (const [nth, request] of told.entries()) {
      expect(request).toMatchObject({ isRebuilt: true, isSpelled: true });
      if (request.resets.length === 0) expect(request.miss).toBeNull();
      if (nth > 0) expect(request.billedRead).toBeGreaterThan(0);
    }
  });
});
