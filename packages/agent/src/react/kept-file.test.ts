import { describe, expect, it } from "vitest";
import { z } from "zod";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { defineTool } from "../tool/tool.ts";
import { keepFile } from "./kept-file.ts";

const make = defineTool({
  id: "shop.make",
  description: "Makes a file.",
  params: z.object({
    name: z.string(),
    base64: z.string(),
    visibility: z.enum(["external", "internal"]).default("external"),
  }),
  run: async ({ name, base64, visibility }, context) => {
    const place = { physical: `${context.turnId}/files/${name}`, logical: `fi:${context.turnId}.files/${name}` };
    const kept = await keepFile(
      { ...place, bytes: Buffer.from(base64, "base64"), visibility, seen: context.sourcesAtStart },
      context,
    );
    return (scribe) => {
      if (kept.claim()) kept.write(scribe);
      else scribe.result("superseded", "text/plain");
    };
  },
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = (content: string) => Buffer.from(content).toString("base64");

describe("a file that a tool made", () => {
  it.each([
    ["a picture is shown by its bytes, whatever it is called", "chart.dat", PNG, "image/png", "image/png", undefined],
    ["a text is shown", "a.csv", text("a,b\n"), "text/csv", "text/csv", "a,b\n"],
    ["a drawing is shown as the text it is", "a.svg", text("<svg/>"), "image/svg+xml", "text/plain", "<svg/>"],
    [
      "a file that only claims to be a picture is not shown as one",
      "a.png",
      text("\0\0"),
      "image/png",
      "application/octet-stream",
      undefined,
    ],
    ["anything else is described", "a.zip", text("PK\0\0"), "application/zip", "application/zip", undefined],
  ])("%s", async (_, name, base64, mime, blockMime, shown) => {
    await using bench = await ToolBench.open();
    const { blocks } = await bench.call(make, { name, base64 });
    expect(outline(blocks)).toEqual([
      "react.tool.result tc:turn_1.tc_1.result application/json",
      `react.tool.result fi:turn_1.files/${name} ${blockMime}`,
    ]);
    expect(json(blocks[0])).toMatchObject({ mime, kind: "file", size_bytes: Buffer.from(base64, "base64").length });
    expect(blocks[1]?.text).toBe(shown);
    // A program can pull the file again, even if the view shows little of the file.
    expect(blocks[1]?.meta).toMatchObject({ blob: expect.stringMatching(/^sha256:/), digest: { mime } });
  });

  it("enters the sources pool if its type allows it, and cites the sources in its text", async () => {
    await using bench = await ToolBench.open();
    bench.timeline.mergeSources([{ url: "https://a.example/" }, { url: "https://b.example/" }]);
    const { blocks } = await bench.call(make, { name: "a.md", base64: text("So [[S:2]] and [[S:1]].") });
    expect(json(blocks[0])).toMatchObject({ sources_used: [2, 1] });
    expect(blocks[1]?.meta).toMatchObject({ sources_known: 2 });
    await bench.call(make, { name: "a.zip", base64: text("PK\0\0") });
    expect(bench.timeline.state.pool.rows().map(({ title }) => title)).toEqual([undefined, undefined, "a.md"]);
  });

  it("is neither hosted nor a source when it is internal", async () => {
    await using bench = await ToolBench.open();
    const { blocks } = await bench.call(make, { name: "a.md", base64: text("note"), visibility: "internal" });
    expect(blocks[1]?.meta).not.toHaveProperty("hosted_uri");
    expect(bench.timeline.state.pool.size).toBe(0);
  });

  it("is stored even if it could not be hosted, with a notice", async () => {
    await using bench = await ToolBench.open();
    bench.hostingFails = true;
    const { blocks } = await bench.call(make, { name: "a.md", base64: text("note") });
    expect(json(blocks[0])).toMatchObject({ code: "shop.make.hosting_failed" });
    expect(await bench.workspace.read("turn_1/files/a.md")).toEqual(Buffer.from("note"));
  });

  it("is superseded when a later call settles first, and a further write is marked as an edit", async () => {
    await using bench = await ToolBench.open();
    const first = await bench.start(make, { name: "a.md", base64: text("first") });
    const second = await bench.start(make, { name: "a.md", base64: text("second") });
    expect(json(second.finish().blocks[0])).not.toHaveProperty("edited");
    expect(first.finish().blocks.map((block) => block.text)).toEqual(["superseded"]);
    const third = await bench.call(make, { name: "a.md", base64: text("third") });
    expect(json(third.blocks[0])).toMatchObject({ edited: true });
  });
});
