/**
 * Tests results, files and messages of any size, in small windows, with a provider that refuses requests that do not
 * fit.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Step } from "@cairn/testkit/models";
import { onePagePdf } from "@cairn/testkit/pdf";
import { TurnBench } from "@cairn/testkit/turns";
import { type Json, type KnownEvent, loadTokenizer } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createReadTool } from "../react/read.ts";
import { searchFilesTool } from "../react/search-files.ts";
import { defineTool } from "../tool/tool.ts";
import { openStoreWorkspace } from "../workspace/store-workspace.ts";

const countTokens = await loadTokenizer();

const dump = (ret: Json) =>
  defineTool({
    id: "shop.dump",
    description: "Dumps the table of orders.",
    params: z.object({}),
    run: async () => ({ ok: true, error: null, ret }),
  });

/** Long ids, as they occur in real products. */
const ids = {
  turn: () => `turn_1770631200000_${randomBytes(3).toString("hex")}`,
  call: () => `tc_${randomBytes(6).toString("hex")}`,
};

function smallBench(ret: Json = "", contextTokens = 8_192) {
  return TurnBench.open({
    agent: { tools: [createReadTool(), searchFilesTool, dump(ret)] },
    contextTokens,
    maxOutputTokens: 1_024,
    isStrict: true,
    countTokens,
  });
}

const call = (nth: number, name: string, input: Readonly<Record<string, Json>>) => ({
  id: `toolu_${nth}`,
  name,
  input,
});
const isTaken = ({ status }: { readonly status: number | null }) => status === 200;

/** A step that writes the prose of a compaction whenever a request asks for it. */
const SUMMARY: Step = {
  when: ({ lastText }) => lastText.includes("Critical Context"),
  reply: { text: "Goal: to know what was ordered." },
  times: Number.POSITIVE_INFINITY,
};

/** The call that the last line of a clipped block recommends. */
function readOn(texts: readonly string[]): Record<string, Json> {
  const [, params] = /Read on with react\.read (\{.*\})\n/.exec(texts.join("\n")) ?? [];
  return JSON.parse(params ?? "{}");
}

/** Every clip of the conversation, in order. */
async function clips({ store, key }: TurnBench) {
  const events = await store.readEvents(key, { after: 0, limit: 1_000 });
  return events.flatMap(({ event }) => (event.kind === "blocks.clipped" ? (event as Clipped).body.clips : []));
}

type Clipped = Extract<KnownEvent, { readonly kind: "blocks.clipped" }>;

const MEGABYTE = 1_000_000;
const rows = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 60) }, (_, at) => `order ${at + 1}: ${"tea and cake, ".repeat(3)}`).join("\n");

describe("in a window of 8,192 tokens", () => {
  it.each([
    ["of many lines", rows(10 * MEGABYTE)],
    ["that is one line", "ten million letters in one line ".repeat((10 * MEGABYTE) / 32)],
    [
      "that is JSON",
      Array.from({ length: 100_000 }, (_, sid) => ({ sid, title: "tea", text: "Green tea. ".repeat(6) })),
    ],
  ])("a result of 10 MB %s is shown up to the limit, and the rest can be read by the path it names", async (_, ret) => {
    await using bench = await smallBench(ret as Json);
    await bench.say("What was ordered?");
    bench.simulator.script([
      SUMMARY,
      { reply: { calls: [call(1, "shop__dump", {})] } },
      { reply: ({ texts }) => ({ calls: [call(2, "react__read", readOn(texts))] }) },
      { reply: { text: "Tea." } },
    ]);
    expect(await bench.run({ ids })).toMatchObject({ status: "ended", end: { exit: "complete" } });
    expect(bench.simulator.requests).toHaveLength(3);
    expect(bench.simulator.requests.every(isTaken)).toBe(true);
    const { state } = await bench.store.load(bench.key);
    const [first, second] = await clips(bench);
    expect(first?.shown_lines).toBeGreaterThan(0);
    const read = state.at(second?.position ?? 0);
    expect(read?.tool).toBe("react.read");
    expect(read?.block.meta?.lines).toMatchObject({ from: (first?.shown_lines ?? 0) + 1 });
    expect(state.lastReceipt?.resets).toEqual([]);
  });

  it.each([8_192, 32_768, 200_000])(
    "thirty-two reads of one decision fit into a window of %i",
    async (contextTokens) => {
      await using bench = await smallBench("", contextTokens);
      const paths = Array.from({ length: 32 }, (_, at) => `turn_0/files/report-${at}.txt`);
      const workspace = await openStoreWorkspace(bench.store, bench.key, join(bench.folder, "out"));
      for (const path of paths) await workspace.write(path, rows(63_000));
      await bench.say("Read all reports.");
      const logical = (path: string) => `fi:${path.replace("/", ".")}`;
      bench.simulator.script([
        SUMMARY,
        { reply: { calls: paths.map((path, at) => call(at, "react__read", { paths: [logical(path)] })) } },
        { reply: { text: "All the same." } },
      ]);
      expect(await bench.run({ ids, workspace })).toMatchObject({ status: "ended", end: { exit: "complete" } });
      expect(bench.simulator.requests.every(isTaken)).toBe(true);
      const { state } = await bench.store.load(bench.key);
      expect(state.lastReceipt?.resets).toEqual([]);
      const seen = JSON.stringify(bench.simulator.requests.at(-1)?.body);
      for (const path of paths) expect(seen).toContain(logical(path));
    },
  );

  it("a message of 5 MB is shown up to the limit, and the turn continues", async () => {
    await using bench = await smallBench();
    await bench.say(`Sum this up.\n${rows(5 * MEGABYTE)}`);
    bench.simulator.script([
      SUMMARY,
      { reply: ({ texts }) => ({ calls: [call(1, "react__read", readOn(texts))] }) },
      { reply: { text: "Many orders." } },
    ]);
    expect(await bench.run({ ids })).toMatchObject({ status: "ended", end: { exit: "complete" } });
    expect(bench.simulator.requests.every(isTaken)).toBe(true);
  });
});

describe("a provider that refuses large bodies", () => {
  it("gets the newest files up to its limit, and the refusal does not change the token calibration", async () => {
    await using bench = await TurnBench.open({ simulator: { maxBytes: 300_000 } });
    bench.simulator.script([{ reply: { text: "Read." }, times: 9 }]);
    const scan = (name: string) => bench.attach(name, "application/pdf", onePagePdf([name, "x".repeat(60_000)]));
    await scan("first.pdf");
    expect(await bench.turn("Read this.")).toMatchObject({ end: { exit: "complete" } });
    for (const name of ["a.pdf", "b.pdf", "c.pdf", "d.pdf", "e.pdf"]) await scan(name);
    expect(await bench.turn("Read these, too.")).toMatchObject({ end: { exit: "complete" } });
    const { state } = await bench.store.load(bench.key);
    const shown = state.window.flatMap(({ block, clip, path }) =>
      block.type === "user.attachment" && clip === null ? [path?.slice(-5)] : [],
    );
    expect(shown).toEqual(["c.pdf", "d.pdf", "e.pdf"]);
    expect(state.lastReceipt?.refused).toBeUndefined();
    expect(await bench.turn("And?")).toMatchObject({ end: { exit: "complete" } });
  });
});
