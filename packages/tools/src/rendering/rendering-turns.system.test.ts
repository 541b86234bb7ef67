/** Tests what the tools write to the timeline and what the next request contains, over a simulated provider. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defineTool, reactTools } from "@cairn/agent";
import { gradientPng, officeText } from "@cairn/testkit/documents";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { pdfLinks, pdfPages } from "../../test/read-back.ts";
import { defaultRenderers, renderingTools } from "./rendering-tools.ts";

const renderers = defaultRenderers();
afterAll(async () => {
  for (const renderer of renderers) await renderer.close();
});

/** Puts two web pages into the pool, and a picture into the turn's files. */
const seed = defineTool({
  id: "test.seed",
  description: "Seeds.",
  params: z.object({}),
  run: async (_, { workspace, turnId }) => {
    await workspace.write(`${turnId}/files/chart.png`, gradientPng(120, 80, [10, 60, 120], [90, 200, 160]));
    return (scribe) => {
      scribe.mergeSources([
        { source_type: "web", url: "https://example.com/a?x=1", title: "First & foremost", domain: "example.com" },
        {
          source_type: "web",
          url: "https://example.org/b",
          title: "Second",
          published_time_iso: "2026-02-10T00:00:00Z",
        },
      ]);
      scribe.result('{"ok":true}', "application/json");
    };
  },
});
const openBench = () => TurnBench.open({ agent: { tools: [...reactTools(), ...renderingTools({ renderers }), seed] } });
const REPORT =
  "# Places to eat\n\nThe market is best [[S:2]], the harbour close behind [[S:1,2]].\n\n![A chart]({turn}/files/chart.png)\n\n| a | b |\n|--|--|\n| 1 | 2 |\n";

describe("a report with citations", () => {
  it("is written, then rendered by reference as PDF, DOCX, PPTX and PNG, each with its blocks and its file", async () => {
    await using bench = await openBench();
    const render = (kind: string, more = {}) =>
      callOf(`rendering_tools.write_${kind}`, {
        path: `{turn}/files/report.${kind}`,
        content: "ref:fi:{turn}.files/report.md",
        ...more,
      });
    const played = await playTurn(bench, [
      callOf("test.seed", {}),
      callOf("react.write", { path: "{turn}/files/report.md", content: REPORT }, "Drafting."),
      callOf(
        "rendering_tools.write_pdf",
        { path: "{turn}/files/report.pdf", content: "ref:fi:{turn}.files/report.md" },
        "Making the PDF.",
      ),
      render("docx"),
      render("pptx"),
      render("png", { width: 600 }),
    ]);
    expect(played.sequence.slice(played.sequence.indexOf("react.notes ar:T1.react.notes.C3"))).toEqual([
      "react.notes ar:T1.react.notes.C3",
      "react.tool.call tc:T1.C3.call",
      "react.tool.result tc:T1.C3.result",
      "react.tool.result fi:T1.files/report.pdf",
      "react.tool.call tc:T1.C4.call",
      "react.tool.result tc:T1.C4.result",
      "react.tool.result fi:T1.files/report.docx",
      "react.tool.call tc:T1.C5.call",
      "react.tool.result tc:T1.C5.result",
      "react.tool.result fi:T1.files/report.pptx",
      "react.tool.call tc:T1.C6.call",
      "react.tool.result tc:T1.C6.result",
      "react.tool.result fi:T1.files/report.png",
    ]);
    expect(played.contents("react.tool.call tc:T1.C3.call")).toEqual([
      {
        tool_id: "rendering_tools.write_pdf",
        tool_call_id: "C3",
        params: { path: "T1/files/report.pdf", content: "ref:fi:T1.files/report.md" },
        ts: "time",
      },
    ]);
    const digests = [3, 4, 5, 6].map((n) => played.contents(`react.tool.result tc:T1.C${n}.result`));
    const office = "application/vnd.openxmlformats-officedocument";
    const mimes = [
      "application/pdf",
      `${office}.wordprocessingml.document`,
      `${office}.presentationml.presentation`,
      "image/png",
    ];
    ["pdf", "docx", "pptx", "png"].forEach((kind, at) => {
      expect(digests[at]).toEqual([
        {
          artifact_path: `fi:T1.files/report.${kind}`,
          physical_path: `T1/files/report.${kind}`,
          mime: mimes[at],
          kind: "file",
          visibility: "external",
          size_bytes: expect.any(Number),
          ...(kind === "pdf" || kind === "png" ? { tokens: expect.any(Number) } : {}),
          sources_used: [2, 1],
          tool_call_id: `C${at + 3}`,
        },
      ]);
      const block = played.blocks.find(({ path }) => path === `fi:T1.files/report.${kind}`);
      expect(block).toMatchObject({
        mime: mimes[at],
        meta: {
          hosted_uri: expect.any(String),
          rn: expect.any(String),
          key: expect.any(String),
          physical_path: `T1/files/report.${kind}`,
          digest: { artifact_path: `fi:T1.files/report.${kind}` },
        },
      });
    });
    // The model is shown a PDF and a picture, and gets descriptions of the others.
    expect(played.shown).toContain(
      "[TOOL RESULT C3].artifact rendering_tools.write_pdf\nlogical_path: fi:T1.files/report.pdf",
    );
    expect(played.shown).toContain("[TOOL RESULT C6].artifact rendering_tools.write_png");
    expect(played.shown).not.toContain("[TOOL RESULT C4].artifact");
    expect(played.shown).toContain("[TOOL RESULT C5].summary rendering_tools.write_pptx\nStatus: success");
    expect(played.shown).not.toContain("hosted_uri");
    // PDF and PNG can be cited from now on; DOCX and PPTX cannot.
    expect(played.shown).toContain('fi:T1.files/report.pdf  |  "report.pdf"');
    expect(played.shown).not.toContain("fi:T1.files/report.docx  |");

    const turn =
      bench.signals
        .map((signal) => JSON.stringify(signal))
        .join()
        .match(/turn_\d+/)?.[0] ?? "turn_1";
    const file = (kind: string) => readFileSync(join(bench.folder, "out", turn, "files", `report.${kind}`));
    const text = (await pdfPages(file("pdf"))).join(" ").replace(/\s+/g, " ");
    expect(text).toMatch(/The market is best ?\[1\], the harbour close behind ?\[1,2\]/);
    expect(text).toMatch(/Sources 1\. Second.*2\. First & foremost/);
    expect(await pdfLinks(file("pdf"))).toEqual(
      expect.arrayContaining(["https://example.org/b", "https://example.com/a?x=1"]),
    );
    for (const kind of ["docx", "pptx"]) {
      expect(officeText(file(kind))).toMatch(/Sources/);
      expect(officeText(file(kind))).toContain("First & foremost");
      expect(officeText(file(kind))).not.toContain("[[S:");
    }
  });

  it("reports files and sources that it does not find, and is made without them", async () => {
    await using bench = await openBench();
    const content = "Text [[S:40]].\n\n![x](turn_0/files/gone.png)\n\n![y](https://example.com/web.png)\n";
    const played = await playTurn(bench, [callOf("rendering_tools.write_docx", { path: "report", content })]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      ...Array(3).fill("react.notice tc:T1.C1.notice"),
      "react.tool.result tc:T1.C1.result",
      "react.tool.result fi:T1.files/report.docx",
    ]);
    expect(played.contents("react.notice tc:T1.C1.notice")).toEqual([
      expect.objectContaining({
        code: "protocol_violation.path_rewritten",
        from: "report",
        to: "T1/files/report.docx",
      }),
      expect.objectContaining({
        code: "tool_call_error.missing_assets",
        missing: [expect.stringMatching(/files\/gone\.png$/), "https://example.com/web.png"],
      }),
      expect.objectContaining({ code: "tool_call_warning.missing_sources", missing: [40] }),
    ]);
    expect(played.shown).toContain("Status: success");
  });

  it("finds files whose names have spaces, and nothing is missing", async () => {
    await using bench = await openBench();
    await playTurn(bench, [
      callOf("rendering_tools.write_png", { path: "{turn}/files/my chart.png", content: "A picture", width: 300 }),
    ]);
    const content =
      '![a](<{first}/files/my chart.png>) ![b]({first}/files/my%20chart.png)\n\n<img src="{first}/files/my chart.png">';
    const played = await playTurn(bench, [
      callOf("rendering_tools.write_docx", { path: "{turn}/files/a.docx", content }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T2.C2.call",
      "react.tool.result tc:T2.C2.result",
      "react.tool.result fi:T2.files/a.docx",
    ]);
  });

  it("a report with citations that cannot be made leaves a notice and an error, and no file", async () => {
    await using bench = await openBench();
    const played = await playTurn(bench, [
      callOf("rendering_tools.write_pdf", { path: "{turn}/files/a.pdf", content: "  " }),
      callOf("rendering_tools.write_pdf", { path: "{turn}/files/b.pdf", content: "ref:fi:{turn}.files/none.md" }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.notice tc:T1.C1.notice",
      "react.tool.result tc:T1.C1.result",
      "react.tool.call tc:T1.C2.call",
      "react.notice tc:T1.C2.notice",
      "react.tool.result tc:T1.C2.result",
    ]);
    expect(played.contents("react.notice tc:T1.C1.notice")).toEqual([
      expect.objectContaining({ code: "tool_result_error" }),
    ]);
    expect(played.contents("react.notice tc:T1.C2.notice")).toEqual([
      expect.objectContaining({ code: "protocol_violation.param_ref_not_visible" }),
    ]);
    expect(played.shown).toContain("[TOOL RESULT C1].summary rendering_tools.write_pdf\nStatus: error document_empty:");
  });

  it("pulls files of sources that give only their logical path", async () => {
    const name = defineTool({
      id: "test.name",
      description: "Names the picture as another program would.",
      params: z.object({}),
      run: async (_, { turnId }) => {
        const artifact_path = `fi:${turnId}.files/chart.png`;
        return (scribe) => {
          scribe.mergeSources([{ source_type: "file", title: "The chart", mime: "image/png", artifact_path }]);
        };
      },
    });
    await using bench = await TurnBench.open({
      agent: { tools: [...reactTools(), ...renderingTools({ renderers }), seed, name] },
    });
    await playTurn(bench, [
      callOf("rendering_tools.write_png", { path: "{turn}/files/chart.png", content: "A picture", width: 300 }),
      callOf("test.name", {}),
    ]);
    const workspace = join(bench.folder, "out");
    const [turn = ""] = readdirSync(workspace).filter((folder) => folder.startsWith("turn_"));
    for (const folder of readdirSync(workspace)) rmSync(join(workspace, folder), { recursive: true });
    const content = "See the chart [[S:2]].\n\n![by SID]([[S:2]])";
    const played = await playTurn(bench, [
      callOf("rendering_tools.write_docx", { path: "{turn}/files/b.docx", content }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T2.C3.call",
      "react.tool.result tc:T2.C3.result",
      "react.tool.result fi:T2.files/b.docx",
    ]);
    expect(readdirSync(join(workspace, turn, "files"))).toEqual(["chart.png"]);
  });

  it("of an earlier turn is rendered with pictures that are pulled from that turn", async () => {
    await using bench = await openBench();
    await playTurn(bench, [
      callOf("test.seed", {}),
      callOf("rendering_tools.write_png", { path: "{turn}/files/pic.png", content: "A picture", width: 300 }),
    ]);
    const content =
      "![by logical path](fi:{first}.files/pic.png)\n\n![by physical path]({first}/files/pic.png)\n\n![by SID]([[S:3]])";
    const played = await playTurn(bench, [
      callOf("rendering_tools.write_pdf", { path: "{turn}/files/b.pdf", content }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T2.C3.call",
      "react.tool.result tc:T2.C3.result",
      "react.tool.result fi:T2.files/b.pdf",
    ]);
  });
});
