/** The blocks of each kind of tool call, as the model reads them. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { execReport } from "../exec/report.ts";
import { Timeline } from "../timeline.ts";
import { printView } from "../../test/print-view.ts";

const turn = "turn_1";
const opening = [make.header(turn), make.prompt(turn, "Go on.")];
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

it("an exec run shows its code, call and report, then a summary and the visible part of each file", async () => {
  const at = { turn, call: "tc_exec", iteration: 0 };
  const report = execReport({
    runtime_error: null,
    files: ["report.pdf", "notes.txt", "data.xlsx"].map((name) => ({ path: `${turn}/files/${name}`, ok: true })),
    log: "3 files written\n",
  });
  const blocks = [
    ...opening,
    make.notes(at, "Computing the figures."),
    make.code(at, 'import pandas as pd\n\nprint("3 files written")\n'),
    make.call(at, "exec_tools.execute_code_python", { prog_name: "figures", contract: [`${turn}/files/report.pdf`] }),
    make.result(at, report, "text/markdown"),
    ...make.file(at, {
      name: "report.pdf",
      mime: "application/pdf",
      base64: "JVBERi0=",
      extra: { size_bytes: 45_921 },
    }),
    ...make.file(at, {
      name: "notes.txt",
      mime: "text/plain",
      text: "Rows: 12\n",
      extra: { size_bytes: 9, tokens: 4 },
    }),
    ...make.file(at, { name: "data.xlsx", mime: XLSX, extra: { size_bytes: 8_192 } }),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./exec-three-files.txt");
});

it("a search shows the digest of its pool rows, then the rows", async () => {
  const at = { turn, call: "tc_search", iteration: 0 };
  const blocks = [
    ...opening,
    make.notes(at, "Looking for sources."),
    ...make.search(at, "best restaurants wuppertal", [1, 2, 3, 4, 5], "1-5"),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./web-search.txt");
});

it("a fetch shows pages by address, each with its SID", async () => {
  const at = { turn, call: "tc_fetch", iteration: 0 };
  const path = `tc:${turn}.tc_fetch.result`;
  const pages = { "https://example.com": { sid: 1, title: "Example", content: "Example Domain\nFor documentation." } };
  const blocks = [
    ...opening,
    make.call(at, "web_tools.web_fetch", { urls: ["https://example.com"] }),
    make.digest(at, { artifact_path: path, mime: "application/json", kind: "file", visibility: "internal" }),
    make.result(at, JSON.stringify(pages)),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./web-fetch.txt");
});

it("reading mixed paths shows the status first, then each thing read", async () => {
  const at = { turn: "turn_3", call: "tc_read", iteration: 0 };
  const report = "fi:turn_2.files/report.pdf";
  const notes = "fi:turn_1.user.attachments/notes.txt";
  const image = "fi:turn_1.user.attachments/image.png";
  const board = "fi:turn_2.files/board.pptx";
  const read = (path: string, physical_path: string, mime: string, content: Partial<Block>): Block[] => {
    const digest = { artifact_path: path, physical_path, mime, kind: "file", visibility: "external" };
    const meta = { hosted_uri: "s3://bucket/x", rn: "rn:x", key: "x", physical_path, digest, hidden: false };
    return [make.digest(at, digest), make.blockOf(at, "react.tool.result", path, { mime, ...content, meta })];
  };
  const paths = ["so:sources_pool[1-2]", notes, image, board];
  const status = { paths, missing: [], missing_skills: [], exists_in_visible_context: [], total_tokens: 3_600 };
  const blocks = [
    make.header(at.turn),
    make.prompt(at.turn, "Look at those again."),
    make.call(at, "react.read", { paths }),
    make.result(at, JSON.stringify(status)),
    ...read(report, "turn_2/files/report.pdf", "application/pdf", { base64: "JVBERi0=" }),
    make.blockOf(at, "react.tool.result", "so:sources_pool[2]", {
      mime: "text/markdown",
      text: "[S:2] A page about boards\nhttps://example.com/2\n\nFull text of the page.",
    }),
    ...read(notes, "turn_1/attachments/notes.txt", "text/plain", { text: "first line\nsecond line\n" }),
    ...read(image, "turn_1/attachments/image.png", "image/png", { base64: "iVBORw0KGgo=" }),
    ...read(board, "turn_2/files/board.pptx", PPTX, {}),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./read-mixed.txt");
});

it("a written file shows its shortened call, its summary and its text", async () => {
  const at = { turn, call: "tc_write", iteration: 0 };
  const internal = { turn, call: "tc_write2", iteration: 1 };
  const text = "# Report\n\nThe first finding [[S:1]].\n";
  const blocks = [
    ...opening,
    make.notes(at, "Drafting the report."),
    make.call(at, "react.write", {
      path: "report.md",
      channel: "canvas",
      content: `# Report... [see fi:${turn}.files/report.md]`,
    }),
    make.notice(at, "protocol_violation.path_rewritten", `report.md was written to ${turn}/files/report.md.`),
    ...make.file(at, {
      name: "report.md",
      mime: "text/markdown",
      kind: "display",
      text,
      extra: { size_bytes: text.length, tokens: 10, sources_used: [1] },
    }),
    make.call(internal, "react.write", { path: `${turn}/files/scratch.md`, channel: "internal" }),
    ...make.file(internal, { name: "scratch.md", mime: "text/markdown", visibility: "internal", text: "[P] short" }),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./write.txt");
});

it("a rendered PDF is shown, a presentation is only summarised, and a failed file has its error", async () => {
  const pdf = { turn, call: "tc_pdf", iteration: 0 };
  const deck = { turn, call: "tc_pptx", iteration: 1 };
  const lost = { turn, call: "tc_docx", iteration: 2 };
  const blocks = [
    ...opening,
    make.call(pdf, "rendering_tools.write_pdf", { path: `${turn}/files/r.pdf`, content: `ref:fi:${turn}.files/r.md` }),
    ...make.file(pdf, { name: "r.pdf", mime: "application/pdf", base64: "JVBERi0=", extra: { size_bytes: 45_921 } }),
    make.call(deck, "rendering_tools.write_pptx", { path: `${turn}/files/r.pptx` }),
    ...make.file(deck, {
      name: "r.pptx",
      mime: PPTX,
      extra: { size_bytes: 1_200, write_warning: "file_unusually_small" },
    }),
    make.call(lost, "rendering_tools.write_docx", { path: `${turn}/files/r.docx` }),
    make.notice(lost, "tool_result_error", "The file is empty."),
    make.digest(lost, {
      artifact_path: `fi:${turn}.files/r.docx`,
      physical_path: `${turn}/files/r.docx`,
      kind: "file",
      visibility: "external",
      size_bytes: 0,
      error: { code: "file_empty", message: "r.docx has no content.", managed: true },
    }),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./rendering-tools.txt");
});

it("a result that is read again is shown at its path, whether it is an error or the description of a file", async () => {
  const failed = { turn, call: "tc_a", iteration: 0 };
  const at = { turn, call: "tc_read", iteration: 1 };
  const error = { code: "out_of_stock", message: "There is no tea." };
  const readBack = (call: string, json: object): Block =>
    make.blockOf(at, "react.tool.result", `tc:${turn}.${call}.result`, {
      mime: "application/json",
      text: JSON.stringify(json),
      meta: { tool_call_id: "tc_read", hidden: false },
    });
  const blocks = [
    ...opening,
    make.call(failed, "shop.ship", {}),
    make.digest(failed, { tool_id: "shop.ship", error }),
    make.call(at, "react.read", { paths: [`tc:${turn}.tc_a.result`, `tc:${turn}.tc_b.result`] }),
    make.result(at, JSON.stringify({ paths: [], missing: [] })),
    readBack("tc_a", { tool_id: "shop.ship", error }),
    readBack("tc_b", { artifact_path: `fi:${turn}.files/a.md`, mime: "text/markdown", hosted_uri: "s3://secret" }),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./read-result.txt");
  const before = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length, rendererVersion: 3 });
  before.contribute(blocks);
  const messages = before.render().messages();
  expect(messages.map((message) => (message.type === "text" ? message.text : "")).join("")).toContain(
    "[TOOL RESULT tc_read].summary react.read\nStatus: error out_of_stock: There is no tea.",
  );
});
