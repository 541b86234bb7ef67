/** The offline model at work with the real tools of the built-in agent: what a new user can do without a key. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnOutcome } from "@cairn/agent";
import { extractCitations } from "@cairn/timeline";
import { loadSettings, type OpenedAgent, openAgent } from "cairn-agent/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tryBubblewrap, tryDeno } from "../sandbox/index.ts";
import { TEST_LIBRARY } from "../search/test-library.ts";
import { comparable } from "./comparable.ts";
import { TurnBench } from "./turn-bench.ts";

const sandboxes = [await tryBubblewrap(), await tryDeno()];
const sandbox = sandboxes.find(({ missing }) => missing === null)?.sandbox.name ?? null;
const PROGRAM = `import csv
rows = list(csv.DictReader(open("calls.csv")))
with open("total.md", "w") as total:
    total.write("# Total\\n\\n%d\\n" % sum(int(row["calls"]) for row in rows))
print(len(rows), "rows")
`;

describe("the offline model with every tool", () => {
  let folder: string;
  let opened: OpenedAgent;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-offline-"));
    const settings = await loadSettings({ cwd: folder, env: { CAIRN_SEARCH: `corpus:${TEST_LIBRARY}` } });
    opened = await openAgent({ ...settings, tools: { ...settings.tools, sandbox } }, {}, null);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const openBench = () => TurnBench.open({ agent: opened.agent });
  const textOf = (outcome: TurnOutcome) => (outcome.status === "ended" ? outcome.end.text : outcome.status);
  const tools = async (bench: TurnBench) =>
    (await bench.blocks())
      .filter(({ type }) => type === "react.tool.call")
      .map(({ text = "" }) => JSON.parse(text).tool_id as string);
  const namesOf = async (bench: TurnBench) =>
    (await bench.blocks()).flatMap(({ path = "", meta }) =>
      path.startsWith("fi:") && meta?.hosted_uri !== undefined ? [path.slice(path.lastIndexOf("/") + 1)] : [],
    );

  it("plans, searches, reads, writes with citations and renders, in one turn", async () => {
    await using bench = await openBench();
    const text = textOf(
      await bench.turn("Write a report about mountain rescue on the ridge as a PDF, docx, pptx and png"),
    );
    expect(await tools(bench)).toEqual([
      ...["react.plan", "web_tools.web_search", "web_tools.web_fetch", "react.write"],
      ...["pdf", "docx", "pptx", "png"].map((format) => `rendering_tools.write_${format}`),
      "react.plan",
    ]);
    const name = "mountain-rescue-on-the-ridge";
    expect(new Set(await namesOf(bench))).toEqual(
      new Set(["md", "pdf", "docx", "pptx", "png"].map((end) => `${name}.${end}`)),
    );
    expect(text).toMatch(
      new RegExp(`I made .fi:turn_1\\.files/${name}\\.pdf. \\(PDF\\), .fi:turn_1\\.files/${name}\\.docx. \\(Word`),
    );
    expect(text).toContain("offline model");
    const [{ turn_id = "" } = {}] = await bench.blocks();
    const report = await readFile(join(bench.folder, "out", turn_id, "files", `${name}.md`), "utf8");
    expect(extractCitations(report, "markdown").length).toBeGreaterThan(1);
    // Every line is a quotation that occurs word for word in the library.
    for (const [, quote = ""] of report.matchAll(/^- “(.*)” \[\[S:\d+\]\]$/gm))
      expect(await libraryText()).toContain(quote);
  });

  it("converts a file that it wrote before, or an answer, to another format", async () => {
    await using bench = await openBench();
    await bench.turn("How is the cap stone of a cairn laid?");
    expect(textOf(await bench.turn("Turn that into a Word document"))).toMatch(
      /^I made `fi:turn_\w+\.files\/answer\.docx` \(Word document\)\.$/,
    );
    await bench.turn("Write a report about lichen");
    expect(textOf(await bench.turn("Make it a pdf"))).toMatch(/files\/lichen\.pdf` \(PDF\)\.$/);
  });

  it.skipIf(sandbox === null)("runs a pasted program on an attachment, and reports the outcome", async () => {
    await using bench = await openBench();
    await bench.attach("calls.csv", "text/csv", "winter,calls\n2024,6\n2025,3\n");
    const text = textOf(await bench.turn(`Run this please:\n\`\`\`python\n${PROGRAM}\`\`\``));
    expect(text).toMatch(
      /^The program ran to its end\.\n\nIt made `fi:turn_1\.files\/total\.md`\.\n\nIt printed:\n\n```text\n2 rows\n```/,
    );
    expect((await bench.blocks()).find(({ path }) => path?.endsWith("total.md"))?.text).toBe("# Total\n\n9\n");
    const failed = textOf(await bench.turn("Run this:\n```python\nimport nowhere_at_all\n```"));
    expect(failed).toContain("The program did not end well: execution_failed — ModuleNotFoundError");
  });

  it.skipIf(sandbox === null)("draws a chart of an attached table", async () => {
    await using bench = await openBench();
    await bench.attach("calls.csv", "text/csv", "valley;calls\nNorth;6\nSouth;3,5\n");
    expect(textOf(await bench.turn("Plot this csv"))).toMatch(
      /^The chart of calls\.csv is in `fi:turn_1\.files\/calls-chart\.svg`\./,
    );
    const svg = (await bench.blocks()).find(({ path }) => path?.endsWith("calls-chart.svg"))?.text ?? "";
    expect(svg).toMatch(/^<svg [\s\S]*<title>North: 6<\/title>[\s\S]*<title>South: 3\.5<\/title>[\s\S]*<\/svg>\n$/);
  });

  it.skipIf(sandbox === null)("draws the same columns again as a line and as a pie", async () => {
    await using bench = await openBench();
    await bench.attach("calls.csv", "text/csv", "valley,month,calls,costs\nNorth,2,6,1\nSouth,1,2,1\nNorth,1,4,1\n");
    const draw = async (message: string) => {
      expect(textOf(await bench.turn(message))).toMatch(/^The chart of calls\.csv is in /);
      return (await bench.blocks()).findLast(({ path }) => path?.endsWith("calls-chart.svg"))?.text ?? "";
    };
    expect(await draw("Make a bar chart of calls by valley")).toContain("<title>North: 10</title>");
    expect(await draw("now as a pie chart")).toContain("<title>North: 10 (83.3%)</title>");
    expect(await draw("and as a line chart by month")).toMatch(/<polyline [\s\S]*calls \/ month<\/text>/);
  });

  it("lists what is in the library", async () => {
    await using bench = await openBench();
    const text = textOf(await bench.turn("What is in the library?"));
    expect(text).toMatch(/^I search the library in the folder `library`\. It has 10 documents:\n\n- /);
    expect(text).toContain("\n- Mountain rescue");
    expect(await tools(bench)).toEqual([]);
  });

  it("says that it searched and found nothing, and that a page could not be fetched", async () => {
    await using bench = await openBench();
    const nothing = textOf(await bench.turn("Who invented the zeppelin dirigible?"));
    expect(nothing).toContain("I searched, and found nothing about that in the library in the folder `library`.");
    const refused = textOf(await bench.turn("What does http://127.0.0.1:9/secret say?"));
    expect(refused).toMatch(/^I could not fetch it: /);
    expect(await tools(bench)).toEqual([...["web_tools.web_search", "web_tools.web_fetch", "web_tools.web_fetch"]]);
  });

  it("answers what was asked before from the conversation and not by a search", async () => {
    await using bench = await openBench();
    expect(textOf(await bench.turn("What did I ask first?"))).toMatch(/^You have asked me nothing before\./);
    await bench.turn("How is the cap stone of a cairn laid?");
    const before = await tools(bench);
    expect(textOf(await bench.turn("What did I ask before?"))).toBe(
      "Your message before this one was: “How is the cap stone of a cairn laid?”",
    );
    expect(textOf(await bench.turn("What was my first message?"))).toContain("“What did I ask first?”");
    expect(await tools(bench)).toEqual(before);
  });

  it("gives the same answers each time", async () => {
    const played = await Promise.all(
      [0, 1].map(async () => {
        await using bench = await openBench();
        await bench.turn("Write a report about erosion");
        await bench.turn("Who keeps the dogs on a lead?");
        return comparable(bench.store, bench.key);
      }),
    );
    expect(played[0]).toEqual(played[1]);
  });
});

it("answers questions about Cairn from its documentation, with citations, when nothing is configured", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-offline-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const opened = stack.use(await openAgent(await loadSettings({ cwd: folder, env: {} }), {}, null));
  const bench = stack.use(await TurnBench.open({ agent: opened.agent }));
  const ask = async (question: string) => {
    const outcome = await bench.turn(question);
    return outcome.status === "ended" ? outcome.end.text : outcome.status;
  };
  const mounted = await ask("how do I mount it in Express?");
  expect(mounted).toMatch(/“.*Express.*toNode.*” \[\[S:\d+\]\]/);
  expect(mounted).toContain('\n  app.use("/support", toNode(handler));\n');
  expect(await ask("What is a receipt?")).toMatch(/receipt.*” \[\[S:\d+\]\]/);
  const files = await readdir(new URL("../../../../docs/", import.meta.url), { recursive: true });
  const pages = files.filter((name) => name.endsWith(".md") && !/^(?:decisions|gallery)/.test(name));
  expect(await ask("What is in the library?")).toContain(
    `the sample library (Cairn's documentation). It has ${pages.length} documents:`,
  );
});

async function libraryText(): Promise<string> {
  const names = await readdir(TEST_LIBRARY);
  const texts = await Promise.all(names.map((name) => readFile(join(TEST_LIBRARY, name), "utf8")));
  return texts.join("\n").replace(/\s+/g, " ");
}
