/** `react.read` of documents, whose text comes from reader processes. */
import { readFile } from "node:fs/promises";
import { documentFixture } from "@cairn/testkit/fixtures";
import type { Block } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { createReadTool } from "./read.ts";
import { searchFilesTool } from "./search-files.ts";

const readTool = createReadTool();

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

/** Attaches a file as a message does; returns its path. */
async function attach(name: string, mime: string): Promise<string> {
  const bytes = await readFile(documentFixture(name));
  const path = `fi:turn_1.user.attachments/${name}`;
  const physical_path = `turn_1/attachments/${name}`;
  const digest = { artifact_path: path, physical_path, mime, kind: "file", visibility: "external" };
  bench.remote.set(physical_path, bytes);
  bench.timeline.contribute([
    { type: "user.attachment", author: "user", turn_id: "turn_1", path, mime, meta: { physical_path, digest } },
  ]);
  return path;
}

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const digestLine = "react.tool.result tc:turn_1.tc_1.result application/json";
const status = (blocks: readonly Block[]) => json(blocks[0]);

describe("react.read", () => {
  it("shows a document as text with its pages, and can read a range of its lines", async () => {
    const path = await attach("Vertrag Müller.docx", DOCX);
    const { blocks, outcome } = await bench.call(readTool, { paths: [path] });
    expect(outcome).toBe("ok");
    expect(outline(blocks)).toEqual([digestLine, digestLine, `react.tool.result ${path} text/plain`]);
    expect(json(blocks[1])).toMatchObject({ artifact_path: path, mime: DOCX });
    const lines = blocks[2]?.text?.split("\n") ?? [];
    const second = lines.indexOf("[page 2]") + 1;
    expect(second).toBeGreaterThan(1);
    const part = await bench.call(readTool, { paths: [path], lines: { from: second, to: second + 3 } });
    expect(part.blocks.at(-1)?.text).toBe(
      "[page 2]\n# Deposit\n\nThe deposit of 4500 euros is returned within ninety days after the keys were handed over.\n",
    );
    const again = await bench.call(readTool, { paths: [path] });
    expect(status(again.blocks)).toMatchObject({ exists_in_visible_context: [path], total_tokens: 0 });
  });

  it("shows a PDF as a document and as text, and only the parts that are not in view", async () => {
    const path = await attach("lease.pdf", "application/pdf");
    const { blocks } = await bench.call(readTool, { paths: [path] });
    expect(outline(blocks)).toEqual([
      digestLine,
      digestLine,
      `react.tool.result ${path} application/pdf`,
      `react.tool.result ${path} text/plain`,
    ]);
    expect(blocks[2]?.meta).toMatchObject({ pages: 3, blob: expect.stringMatching(/^sha256:/) });
    expect(blocks[3]?.meta).not.toHaveProperty("blob");
    expect(bench.view().match(/<document|^\[page \d\]$/gm)).toEqual(["<document", "[page 1]", "[page 2]", "[page 3]"]);
    const part = await bench.call(readTool, { paths: [path], lines: { from: 1, to: 2 } });
    expect(outline(part.blocks).slice(2)).toEqual([`react.tool.result ${path} text/plain`]);
  });

  it("reports every unreadable file as unreadable, with the reason", async () => {
    const cases = [
      ["encrypted.pdf", "application/pdf", "The PDF is encrypted and needs a password."],
      ["renamed archive.docx", DOCX, "The file is a ZIP archive, not a document."],
      ["damaged.docx", DOCX, "The file is damaged or was not sent completely"],
    ] as const;
    for (const [name, mime, why] of cases) {
      const path = await attach(name, mime);
      const { blocks, outcome } = await bench.call(readTool, { paths: [path] });
      expect(outcome).toBe("error");
      expect(status(blocks)).toMatchObject({ missing: [], unreadable: [path], total_tokens: 0 });
      expect(json(blocks[1]).error).toMatchObject({ code: "unreadable", message: expect.stringContaining(why) });
      const view = bench.view();
      expect(view).toContain(`Status: error unreadable: ${why}`);
      expect(view).not.toMatch(/\.artifact react\.read|Status: success|<document/);
    }
  });

  it("says that a scan has no text, and still shows the PDF to the model", async () => {
    const path = await attach("scanned.pdf", "application/pdf");
    const { blocks } = await bench.call(readTool, { paths: [path] });
    expect(status(blocks)).toMatchObject({ unreadable: [path] });
    expect(bench.view()).toContain("Status: error unreadable: The PDF has no text: its pages are pictures");
    expect(bench.view()).toContain("<document media_type=application/pdf");
  });

  it("shows an uploaded HTML page as text, and one that the agent edits as source", async () => {
    const path = await attach("lease.html", "text/html");
    await bench.workspace.write("turn_1/files/own.html", "<p>Hello</p>\n");
    const { blocks } = await bench.call(readTool, { paths: [path, "fi:turn_1.files/own.html"] });
    expect(blocks[2]?.text).toContain("\n# Deposit\n\nThe deposit of 4500 euros");
    expect(blocks.at(-1)).toMatchObject({ mime: "text/html", text: "<p>Hello</p>\n" });
  });

  it("never replaces a document in the workspace with its text", async () => {
    await bench.workspace.write("turn_1/files/a.docx", await readFile(documentFixture("Vertrag Müller.docx")));
    await bench.call(readTool, { paths: ["fi:turn_1.files/a.docx"] });
    await bench.openWorkspace("other");
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/a.docx"] });
    expect(await bench.workspace.list("", 9)).toEqual([]);
    expect(blocks.at(-1)?.text ?? "").not.toContain("PK");
  });
});

it("react.search_files finds lines of documents, with their part and the line number that react.read uses", async () => {
  const path = await attach("sales.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  await attach("encrypted.pdf", "application/pdf");
  const found = await bench.call(searchFilesTool, { text: "malmö" });
  const { files, files_not_read } = json(found.blocks[0]) as { files: { matches: object[] }[]; files_not_read: number };
  expect(files_not_read).toBe(1);
  expect(files).toMatchObject([{ path, matches: [{ part: "sheet Staff", text: "| Zoë Ångström | Malmö | 0 |" }] }]);
  const { line } = (files[0]?.matches[0] ?? {}) as { line: number };
  const { blocks } = await bench.call(readTool, { paths: [path], lines: { from: line, to: line } });
  expect(blocks.at(-1)?.text).toBe("| Zoë Ångström | Malmö | 0 |\n");
});
