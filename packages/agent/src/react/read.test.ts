import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, statusOf, ToolBench } from "../../test/tool-bench.ts";
import { hideTool } from "./hide.ts";
import { patchTool } from "./patch.ts";
import { createReadTool } from "./read.ts";
import { writeTool } from "./write.ts";

const skill = {
  name: "menu",
  description: "How to read menus.",
  text: "# Menus\nStart at the end.",
  folder: "nowhere",
};
const readTool = createReadTool([skill]);
const PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

function attach(name: string, mime: string, bytes: Uint8Array): void {
  const turn = bench.turnId;
  const path = `fi:${turn}.user.attachments/${name}`;
  const physical_path = `${turn}/attachments/${name}`;
  const digest = {
    artifact_path: path,
    physical_path,
    mime,
    kind: "file",
    visibility: "external",
    size_bytes: bytes.length,
  };
  const hosting = { hosted_uri: "cairn://secret", rn: "rn:secret", key: "secret" };
  const common = { author: "user", turn_id: turn, path };
  bench.remote.set(physical_path, bytes);
  bench.timeline.contribute([
    { ...common, type: "user.attachment.meta", mime: "application/json", text: JSON.stringify(digest) },
    { ...common, type: "user.attachment", mime, meta: { ...hosting, physical_path, digest } },
  ]);
}

describe("react.read", () => {
  it("decodes a text of many megabytes in steps, and other work runs between them", async () => {
    attach("long.txt", "text/plain", Buffer.alloc(12_000_000, "A line of text.\n"));
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; turns++) await nextTurn();
    })();
    const path = "fi:turn_1.user.attachments/long.txt";
    const { blocks, outcome } = await bench.call(readTool, { paths: [path] });
    isDone = true;
    await others;
    expect(outcome).toBe("ok");
    expect(json(blocks[0])).toMatchObject({ lines: { [path]: "1-12500 of 750000" } });
    expect(blocks[2]?.text?.length).toBe(200_000);
    expect(turns).toBeGreaterThan(20);
  });

  it("shows the status first, then each item in the requested order", async () => {
    bench.remote.set("turn_0/files/report.png", PNG);
    bench.timeline.mergeSources([
      {
        source_type: "file",
        title: "report.png",
        mime: "image/png",
        artifact_path: "fi:turn_0.files/report.png",
        physical_path: "turn_0/files/report.png",
      },
      {
        source_type: "web",
        title: "A page about boards",
        url: "https://example.com/2",
        text: "Extract.",
        content: "Full text of the page.",
      },
    ]);
    attach("notes.txt", "text/plain", Buffer.from("first line\nsecond line\n"));
    attach("image.png", "image/png", PNG);
    attach("board.pptx", PPTX, Buffer.from("PK\x03\x04\0\0board"));
    const paths = [
      "so:sources_pool[1,2]",
      ...["notes.txt", "image.png", "board.pptx"].map((name) => `fi:turn_1.user.attachments/${name}`),
    ];
    const { blocks, outcome } = await bench.call(readTool, { paths });
    expect(outcome).toBe("error");
    const digest = "react.tool.result tc:turn_1.tc_1.result application/json";
    expect(outline(blocks)).toEqual([
      digest,
      digest,
      "react.tool.result fi:turn_0.files/report.png image/png",
      "react.tool.result so:sources_pool[2] text/markdown",
      digest,
      "react.tool.result fi:turn_1.user.attachments/notes.txt text/plain",
      digest,
      "react.tool.result fi:turn_1.user.attachments/image.png image/png",
      digest,
      `react.tool.result fi:turn_1.user.attachments/board.pptx ${PPTX}`,
    ]);
    expect(json(blocks[0])).toEqual({
      paths: ["so:sources_pool[1-2]", ...paths.slice(1)],
      missing: [],
      missing_skills: [],
      unreadable: ["fi:turn_1.user.attachments/board.pptx"],
      exists_in_visible_context: [],
      total_tokens: expect.any(Number),
    });
    expect(blocks[2]?.meta).toMatchObject({ width: 1, hidden: false, physical_path: "turn_0/files/report.png" });
    expect(bench.blobs.get(blocks[2]?.meta?.blob as `sha256:${string}`)).toEqual(PNG);
    expect(blocks[3]?.text).toBe("[S:2] A page about boards\nhttps://example.com/2\n\nFull text of the page.");
    expect(blocks[5]).toMatchObject({
      text: "first line\nsecond line\n",
      meta: { hosted_uri: "cairn://secret", hidden: false },
    });
    expect(blocks[9]).not.toHaveProperty("text");
    const view = bench.view();
    expect(view).not.toContain("secret");
    expect(view.match(/^\[TOOL RESULT tc_1\].*$/gm)).toEqual([
      "[TOOL RESULT tc_1].result react.read",
      "[TOOL RESULT tc_1].summary react.read",
      "[TOOL RESULT tc_1].artifact react.read",
      "[TOOL RESULT tc_1].result react.read",
      "[TOOL RESULT tc_1].summary react.read",
      "[TOOL RESULT tc_1].artifact react.read",
      "[TOOL RESULT tc_1].summary react.read",
      "[TOOL RESULT tc_1].artifact react.read",
      "[TOOL RESULT tc_1].summary react.read",
    ]);
    expect(view).toContain("Status: error unreadable: The file is damaged");
    expect(view).toContain("<image media_type=image/png");
    expect(await bench.workspace.list("turn_1", 10)).toEqual(
      ["image.png", "board.pptx", "notes.txt"].map((name) => `turn_1/attachments/${name}`).sort(),
    );
  });

  it("does not show content again that is in view with the same path and the same content", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "one" });
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/a.md", "turn_1/files/a.md"] });
    expect(blocks).toHaveLength(1);
    expect(statusOf(blocks)).toMatchObject({
      paths: ["fi:turn_1.files/a.md"],
      exists_in_visible_context: ["fi:turn_1.files/a.md"],
      total_tokens: 0,
    });
  });

  it("shows a patched file if only its diff was in view", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "a\nb\n" });
    await bench.call(patchTool, { path: "turn_1/files/a.md", patch: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" });
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/a.md"] });
    expect(blocks.at(-1)).toMatchObject({ path: "fi:turn_1.files/a.md", text: "a\nc\n" });
    const again = await bench.call(readTool, { paths: ["fi:turn_1.files/a.md"] });
    expect(again.blocks).toHaveLength(1);
  });

  it("appends hidden content and leaves the hidden block hidden", async () => {
    await bench.call(writeTool, { path: "turn_1/files/first.md", content: "x" });
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "a long text" });
    await bench.call(hideTool, { path: "fi:turn_1.files/a.md", replacement_text: "a text" });
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/a.md"] });
    expect(blocks.at(-1)).toMatchObject({ path: "fi:turn_1.files/a.md", text: "a long text", meta: { hidden: false } });
    const view = bench.view("[TOOL CALL tc_1]");
    expect(view).toContain("HIDDEN — a text. Retrieve with react.read(fi:turn_1.files/a.md)");
    expect(view.indexOf("HIDDEN")).toBeLessThan(view.lastIndexOf("a long text"));
    expect(bench.timeline.resolve("fi:turn_1.files/a.md")).toMatchObject({ version: 1 });
  });

  it("reads prompts, results and summaries by path, and skills by name", async () => {
    bench.timeline.contribute([
      { type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", mime: "text/markdown", text: "Hello" },
    ]);
    bench.openTurn("turn_2");
    await bench.call(hideTool, { path: "ar:turn_1.user.prompt", replacement_text: "a greeting" });
    const { blocks } = await bench.call(readTool, {
      paths: ["ar:turn_1.user.prompt", "sk:menu", "sk:none", "tc:turn_2.tc_1.call"],
    });
    expect(outline(blocks)).toEqual([
      "react.tool.result tc:turn_2.tc_2.result application/json",
      "react.tool.result ar:turn_1.user.prompt text/markdown",
      "react.tool.result sk:menu text/markdown",
    ]);
    expect(blocks[1]?.text).toBe("Hello");
    expect(blocks[2]?.text).toBe("# Menus\nStart at the end.");
    expect(statusOf(blocks)).toMatchObject({
      missing: [],
      missing_skills: ["sk:none"],
      exists_in_visible_context: ["tc:turn_2.tc_1.call"],
    });
  });

  it("reads the text files of a skill, and says of a binary file what it is", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-skill-")));
    try {
      await writeFile(join(folder, "a.py"), "print(1)\n");
      await writeFile(join(folder, "logo.png"), PNG);
      await writeFile(join(folder, "data.bin"), new Uint8Array([0, 1, 2]));
      await writeFile(join(folder, "__init__.py"), "");
      const tool = createReadTool([{ ...skill, folder }]);
      const names = ["a.py", "logo.png", "data.bin", "__init__.py", "../x"];
      const { blocks } = await bench.call(tool, { paths: names.map((name) => `sk:menu/${name}`) });
      const notices = blocks.filter((block) => block.type === "react.notice").map(json);
      expect(notices).toMatchObject([
        {
          code: "unreadable",
          message: `sk:menu/logo.png is not text (image/png, ${PNG.length} bytes). Only programs can use it.`,
        },
        {
          code: "unreadable",
          message: "sk:menu/data.bin is not text (application/octet-stream, 3 bytes). Only programs can use it.",
        },
        { code: "unreadable", message: "sk:menu/__init__.py is empty." },
        { code: "unsafe_path" },
      ]);
      expect(statusOf(blocks).missing).toHaveLength(4);
      expect(blocks.at(-1)).toMatchObject({ path: "sk:menu/a.py", mime: "text/x-python", text: "print(1)\n" });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("lists missing paths, and says why a path is rejected", async () => {
    bench.timeline.mergeSources([{ source_type: "web", url: "https://example.com", text: "x" }]);
    const paths = [
      "fi:turn_9.files/none.md",
      "so:sources_pool[1,7-8]",
      "../secret",
      "fi:turn_1.files/../../x",
      "so:sources_pool[1-99999]",
    ];
    const { blocks } = await bench.call(readTool, { paths });
    const notices = blocks.filter((block) => block.type === "react.notice").map((block) => json(block).code);
    expect(notices).toEqual(["unsafe_path", "unsafe_path", "selector_too_large"]);
    expect(blocks[notices.length]?.type).toBe("react.tool.result");
    expect(statusOf(blocks).missing).toEqual(["fi:turn_9.files/none.md", "so:sources_pool[7-8]", ...paths.slice(2)]);
    expect(blocks.at(-1)?.path).toBe("so:sources_pool[1]");
  });

  it("shows the requested lines and their numbers", async () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at + 1}\n`).join("");
    await bench.workspace.write("turn_1/files/long.txt", text);
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/long.txt"], lines: { from: 10, to: 12 } });
    expect(blocks.at(-1)?.text).toBe("line 10\nline 11\nline 12\n");
    expect(statusOf(blocks).lines).toEqual({ "fi:turn_1.files/long.txt": "10-12 of 100" });
  });

  it("gives the position of a part, so that its clip names the next lines of the file", async () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at + 1}\n`).join("");
    await bench.workspace.write("turn_1/files/long.txt", text);
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/long.txt"], lines: { from: 10, to: 60 } });
    expect(blocks.at(-1)?.meta?.lines).toEqual({ from: 10, of: 100 });
    const whole = await bench.call(readTool, { paths: ["fi:turn_1.files/long.txt"] });
    expect(whole.blocks.at(-1)?.meta).not.toHaveProperty("lines");
  });

  it("shows no hosting field of a result, whichever lines are requested", async () => {
    const rows = Array.from({ length: 200 }, (_, at) => ({
      artifact_path: `fi:turn_1.files/${at}.md`,
      hosted_uri: "secret",
    }));
    bench.timeline.contribute([
      { type: "react.tool.result", turn_id: "turn_1", path: "tc:turn_1.tc_0.result", text: JSON.stringify(rows) },
    ]);
    const { blocks } = await bench.call(readTool, { paths: ["tc:turn_1.tc_0.result"], lines: { from: 2, to: 2 } });
    expect(blocks.at(-1)?.text).toContain("artifact_path");
    expect(blocks.at(-1)?.text).not.toContain("secret");
  });

  it("cuts a text that is too long for one view, and limits the total of several texts", async () => {
    const line = `${"x".repeat(99)}\n`;
    for (const name of ["a", "b", "c"]) await bench.workspace.write(`turn_1/files/${name}.txt`, line.repeat(10_000));
    const { blocks } = await bench.call(readTool, {
      paths: ["a", "b", "c"].map((name) => `fi:turn_1.files/${name}.txt`),
    });
    const texts = blocks.filter((block) => block.path?.startsWith("fi:")).map((block) => block.text?.length);
    expect(texts).toEqual([200_000, 200_000, 0]);
    expect(statusOf(blocks).lines).toMatchObject({ "fi:turn_1.files/a.txt": "1-2000 of 10000" });
  });

  it("shows the latest file, not the part of it in the timeline", async () => {
    const whole = "y".repeat(50_000);
    await bench.workspace.write("turn_1/files/log.txt", whole);
    bench.timeline.contribute([
      {
        type: "react.tool.result",
        turn_id: "turn_1",
        path: "fi:turn_1.files/log.txt",
        mime: "text/plain",
        text: "yyy...[truncated]",
        meta: { tool_call_id: "tc_x" },
      },
    ]);
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/log.txt"] });
    expect(blocks.at(-1)?.text).toBe(whole);
  });

  it("restores a file from its blocks into an empty workspace", async () => {
    await bench.call(writeTool, { path: "turn_1/files/first.md", content: "x" });
    await bench.call(writeTool, { path: "turn_1/files/n.md", channel: "internal", content: "kept" });
    await bench.openWorkspace("other");
    bench.openTurn("turn_2");
    await bench.call(hideTool, { path: "fi:turn_1.files/n.md", replacement_text: "n" });
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/n.md"] });
    expect(blocks.at(-1)?.text).toBe("kept");
    expect(await bench.workspace.list("", 9)).toEqual(["turn_1/files/n.md"]);
  });

  it("reads an earlier version by its path", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "one" });
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "two" });
    const { blocks } = await bench.call(readTool, { paths: ["fi:turn_1.files/a.md@v1"] });
    expect(blocks.at(-1)).toMatchObject({ path: "fi:turn_1.files/a.md@v1", text: "one" });
    expect(bench.timeline.resolve("fi:turn_1.files/a.md")).toMatchObject({ text: "two", version: 2 });
  });

  it("shows at most two hundred items, and says so", async () => {
    const rows = Array.from({ length: 205 }, (_, at) => ({
      source_type: "file",
      mime: "text/plain",
      artifact_path: `fi:turn_1.files/${at}.txt`,
      physical_path: `turn_1/files/${at}.txt`,
    }));
    bench.timeline.mergeSources(rows);
    for (const { physical_path } of rows) bench.remote.set(physical_path, Buffer.from(physical_path));
    const { blocks } = await bench.call(readTool, { paths: ["so:sources_pool[1-205]"] });
    expect(json(blocks[0])).toMatchObject({ code: "too_many_paths" });
    expect(blocks.filter((block) => block.path?.startsWith("fi:"))).toHaveLength(200);
  });

  it("shows the model no file that is not a valid picture", async () => {
    attach("broken.png", "image/png", Buffer.from([0, 1, 2, 3]));
    await bench.call(readTool, { paths: ["fi:turn_1.user.attachments/broken.png"] });
    expect(
      bench.timeline
        .render()
        .messages()
        .every((message) => message.type === "text"),
    ).toBe(true);
  });
});
