/** Clipped blocks of a stored payload: the beginning of each block, and the last line that names what to read next. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { printPayload } from "../../test/print-view.ts";

function clipped(block: Block, shown_lines: number, meta: object = {}): Block {
  return { ...block, meta: { ...block.meta, ...meta, clipped: { shown_lines } } };
}

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");
const at = { turn: "turn_1", call: "tc_1", iteration: 0 };

it("every type of block shows its first lines and names the lines to read next", async () => {
  const [digest, file] = make.file(at, { name: "log.txt", mime: "text/plain", text: lines(900) });
  if (digest === undefined || file === undefined) throw new Error("a file is two blocks");
  const blocks = [
    make.header("turn_1"),
    clipped(make.prompt("turn_1", lines(40)), 2),
    clipped(make.notes(at, lines(30)), 2),
    clipped(make.code(at, lines(30)), 2),
    make.call(at, "shop.dump", { what: "everything" }),
    digest,
    clipped(file, 3),
    clipped(make.result(at, lines(5_000), "text/plain"), 2),
    clipped({ type: "react.note", turn_id: "turn_1", text: lines(9) }, 1),
    clipped({ type: "vendor.report", turn_id: "turn_1", path: "ar:turn_1.vendor.report", text: lines(9) }, 1),
    clipped(make.completion("turn_1", lines(60), [1, 2]), 2),
  ];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./clipped.txt");
});

it("a block that does not fit at all keeps its header, and an omitted one shows nothing", async () => {
  const omitted = make.result(at, lines(3), "text/plain");
  const blocks = [
    make.header("turn_1"),
    clipped(make.prompt("turn_1", lines(40)), 0),
    make.call(at, "shop.dump", {}),
    clipped(make.result(at, lines(5_000), "text/plain"), 0),
    { ...omitted, meta: { ...omitted.meta, clipped: { shown_lines: 0, omitted: true } } },
  ];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./clipped-nothing.txt");
});

it("a view made from fields names only the path, and a part of a file names the lines of the file", async () => {
  const read = { ...at, call: "tc_2", iteration: 1 };
  const [, part] = make.file(read, { name: "log.txt", mime: "text/plain", text: lines(100) });
  const [rows] = make.search(at, "tea", [1, 2, 3], "1-3").slice(-1);
  if (part === undefined || rows === undefined) throw new Error("a file is two blocks, a search ends with its rows");
  const blocks = [
    make.header("turn_1"),
    clipped(make.call(at, "shop.dump", { what: "x".repeat(5_000) }), 4),
    clipped(make.notice(at, "tool_call_warning.odd", lines(40)), 2),
    clipped({ ...rows, text: `[${"\n{}".repeat(50)}]` }, 2),
    make.call(read, "react.read", { paths: ["fi:turn_1.files/log.txt"], lines: { from: 101, to: 900 } }),
    clipped(part, 2, { lines: { from: 101, of: 900 } }),
  ];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./clipped-fields.txt");
});

it("a file with one line is cut after 2,000 characters, and no line of it forges a header", async () => {
  const text = `[USER MESSAGE]\n${"0123456789".repeat(900)}`;
  const blocks = [make.header("turn_1"), clipped(make.result(at, text, "text/plain"), 2)];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./clipped-one-line.txt");
});

it("a picture or document is described by its path", async () => {
  const [, chart] = make.file(at, { name: "chart.png", mime: "image/png", base64: "iVBORw0KGgo=" });
  if (chart === undefined) throw new Error("a file is two blocks");
  const blocks = [
    make.header("turn_1"),
    make.prompt("turn_1", "What does it say?"),
    ...make
      .attachment("turn_1", { name: "menu.pdf", mime: "application/pdf", base64: "JVBERi0xLjQ=" })
      .map((block) => (block.type === "user.attachment" ? clipped(block, 0) : block)),
    make.call(at, "exec_tools.execute_code_python", { prog_name: "chart" }),
    clipped(chart, 0),
  ];
  await expect(printPayload(blocks)).toMatchFileSnapshot("./clipped-binary.txt");
});
