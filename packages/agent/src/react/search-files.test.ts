import { setImmediate as nextTurn } from "node:timers/promises";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, ToolBench } from "../../test/tool-bench.ts";
import { compileGlob } from "./glob.ts";
import { createReadTool } from "./read.ts";
import { searchFilesTool } from "./search-files.ts";
import { writeTool } from "./write.ts";

describe("a name with wildcards", () => {
  it.each([
    ["*.md", "turn_1/files/a.md", true],
    ["*.md", "turn_1/files/a.mdx", false],
    ["a?c.txt", "x/abc.txt", true],
    ["a?c.txt", "x/ac.txt", false],
    ["turn_1/files/*.md", "turn_1/files/a.md", true],
    ["turn_1/files/*.md", "turn_1/files/sub/a.md", false],
    ["turn_1/**/*.md", "turn_1/files/sub/a.md", true],
    ["turn_1/**/a.md", "turn_1/a.md", true],
    ["**/*.CSV", "turn_1/files/Data.csv", true],
    ["a.b", "axb", false],
    ["*", "", true],
    ["[a]", "[a]", true],
    ["??", "😀é", true],
  ])("%s and %s: %s", (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });

  it("without wildcards matches itself only", () => {
    const text = fc.string({ unit: "grapheme-ascii" }).filter((name) => !/[*?/]/.test(name));
    fc.assert(
      fc.property(text, text, (name, other) => {
        expect(compileGlob(name)(name)).toBe(true);
        expect(compileGlob(name)(other)).toBe(name.toLowerCase() === other.toLowerCase());
      }),
      { numRuns: runs },
    );
  });

  it("takes time linear in the path, however many wildcards it has", () => {
    const match = compileGlob(`${"*a".repeat(20)}b`);
    expect(growthOnDoubling((size) => "a".repeat(size), match, 2_000)).toBeLessThan(3);
  });
});

describe("react.search_files", () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = await ToolBench.open();
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "first\nThe Needle is here\n" });
    await bench.workspace.write("turn_1/files/sub/data.csv", "x;y\n1;2\n");
    await bench.workspace.write("turn_1/files/b.bin", new Uint8Array([0, 1, 2]));
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const search = async (params: object) => json((await bench.call(searchFilesTool, params)).blocks[0]);

  it("searches millions of short lines in steps, and other work runs between them", async () => {
    await bench.workspace.write("turn_1/files/lines.txt", Buffer.alloc(8_000_000, "a\n"));
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; turns++) await nextTurn();
    })();
    const found = await search({ text: "not in it" });
    isDone = true;
    await others;
    expect(found).toEqual({ files: [] });
    expect(turns).toBeGreaterThan(14);
  });

  it("finds files by name, in the workspace and on the timeline", async () => {
    bench.timeline.contribute([
      { type: "user.attachment", turn_id: "turn_1", path: "fi:turn_1.user.attachments/far.csv", mime: "text/csv" },
    ]);
    expect(await search({ name: "*.csv" })).toEqual({
      files: [
        { path: "fi:turn_1.user.attachments/far.csv", physical_path: "turn_1/attachments/far.csv" },
        // No block mentions this file.
        {
          path: "fi:turn_1.files/sub/data.csv",
          physical_path: "turn_1/files/sub/data.csv",
          visibility: "internal",
        },
      ],
    });
  });

  it("finds a text line by line, and matches it literally", async () => {
    expect(await search({ text: "needle" })).toEqual({
      files: [
        {
          path: "fi:turn_1.files/a.md",
          physical_path: "turn_1/files/a.md",
          size_bytes: 25,
          matches: [{ line: 2, text: "The Needle is here" }],
        },
      ],
    });
    expect(await search({ text: "needle", ignore_case: false })).toEqual({ files: [] });
    expect(await search({ text: "(x+)+$" })).toEqual({ files: [] });
  });

  it("pulls files from the store, and says how many it could not read", async () => {
    bench.remote.set("turn_1/attachments/far.txt", Buffer.from("needle"));
    for (const name of ["far.txt", "gone.txt"])
      bench.timeline.contribute([
        { type: "user.attachment", turn_id: "turn_1", path: `fi:turn_1.user.attachments/${name}`, mime: "text/plain" },
      ]);
    expect(await search({ name: "*.txt", text: "needle" })).toMatchObject({
      files: [{ physical_path: "turn_1/attachments/far.txt" }],
      files_not_read: 1,
    });
  });

  it("lists no more hits than requested, and shows the matching part of a long line", async () => {
    await bench.workspace.write("turn_1/files/long.txt", `${"x".repeat(500_000)}needle${"y".repeat(500_000)}`);
    expect(await search({ name: "*", limit: 1 })).toMatchObject({ files: [{}], more: true });
    const { files } = (await search({ name: "long.txt", text: "NEEDLE" })) as {
      files: { matches: { text: string }[] }[];
    };
    expect(files[0]?.matches[0]?.text).toMatch(/^…x+needley+…$/);
    expect(files[0]?.matches[0]?.text.length).toBeLessThan(300);
  });

  it("reports the line numbers that react.read uses", async () => {
    const content = `${"long ".repeat(1_000)}\nshort\nThe haystack ends here`;
    await bench.call(writeTool, { path: "turn_1/files/long.md", content });
    const { blocks } = await bench.call(searchFilesTool, { text: "haystack ends" });
    const line = JSON.parse(blocks.at(-1)?.text ?? "").files[0].matches[0].line;
    const read = await bench.call(createReadTool(), {
      paths: ["fi:turn_1.files/long.md"],
      lines: { from: line, to: line },
    });
    expect(read.blocks.at(-1)?.text).toBe("The haystack ends here");
  });
});
