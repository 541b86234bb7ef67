/**
 * Tests what a text can cite: the sources that existed when the request that produced it was rendered, and no later
 * ones.
 */
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { makeEvent, turnArtifacts } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { answerApproval } from "../tool/consent.ts";
import { defineTool } from "../tool/tool.ts";

/** Each call finds one new page. */
const find = (approval: "always" | "never" = "never") => {
  let found = 0;
  return defineTool({
    id: "shop.find",
    description: "Finds a page.",
    params: z.object({}),
    approval,
    run: async () => (scribe) => {
      const [sid] = scribe.mergeSources([{ url: `https://example.com/${++found}`, title: `Page ${found}` }]);
      scribe.result(`found S:${sid}`, "text/plain");
    },
  });
};

/** One decision with a search, and with a text that cites results of the search before they exist. */
const BOTH = {
  calls: [
    { name: "shop__find", input: {} },
    { name: "react__write", input: { path: "a.md", content: "So [[S:1]]." } },
  ],
};

const open = () => TurnBench.open({ agent: { tools: [...reactTools(), find()] } });
const cited = async (bench: TurnBench, turnId: string) => {
  const { state } = await bench.store.load(bench.key);
  return turnArtifacts(state, turnId)?.citations.map(({ sid }) => sid);
};

describe("a text", () => {
  it("cites sources found before it was written, and never a source that later gets a number it invented", async () => {
    await using bench = await open();
    bench.simulator.script([{ reply: callOf("shop.find", {}) }, { reply: { text: "See [[S:1]] and [[S:2]]." } }]);
    await bench.turn("Look it up.");
    const answer = (await bench.blocks()).find(({ type }) => type === "assistant.completion");
    expect(answer?.meta).toMatchObject({ sources_used: [1], sources_unknown: [2], sources_known: 1 });
    const notice = (await bench.blocks()).find(({ type }) => type === "react.notice");
    expect(JSON.parse(notice?.text ?? "")).toMatchObject({
      code: "citation_unknown",
      message: expect.stringContaining("cites S:2"),
    });
    const [first] = (await bench.store.load(bench.key)).state.turnIds;
    expect(await cited(bench, first ?? "")).toEqual([1]);
    bench.simulator.script([{ reply: callOf("shop.find", {}) }, { reply: { text: "Found [[S:2]]." } }]);
    await bench.turn("And another.");
    expect(await cited(bench, first ?? "")).toEqual([1]);
    const page = await bench.store.turns(bench.key);
    expect(page.items.map(({ view }) => view.citations.map(({ sid }) => sid))).toEqual([[1], [2]]);
  });

  it("written beside a search of the same decision cannot cite the results of that search", async () => {
    await using bench = await open();
    const { blocks, contents } = await playTurn(bench, [BOTH]);
    const file = blocks.find(({ path }) => path === "fi:T1.files/a.md");
    expect(file?.meta).toMatchObject({ sources_known: 0, digest: { sources_unknown: [1] } });
    expect(contents("react.notice tc:T1.C2.notice")).toContainEqual(
      expect.objectContaining({ code: "citation_unknown" }),
    );
    const found = (
      await bench.store.findByPath(bench.key, `fi:${(await bench.store.load(bench.key)).state.turnIds[0]}.files/a.md`)
    )?.artifact;
    expect(found?.sources_used).toEqual([]);
  });

  it("of a call that waited for consent cannot cite sources found in the meantime", async () => {
    const write = reactTools().map((tool) =>
      tool.id === "react.write" ? { ...tool, approval: "always" as const } : tool,
    );
    await using bench = await TurnBench.open({ agent: { tools: [...write, find()] } });
    bench.simulator.script([{ reply: BOTH }, { reply: { text: "Done." } }]);
    expect(await bench.turn("Go.")).toMatchObject({ status: "waiting" });
    const { state } = await bench.store.load(bench.key);
    for (const asked of state.approvalsRequested.values())
      await bench.append(
        makeEvent("approval.given", answerApproval(bench.key, asked, { approve: true, ts: "2026-02-09T10:00:01Z" })),
      );
    await bench.run();
    const file = (await bench.blocks()).find(({ path }) => path?.endsWith(".files/a.md"));
    expect(file?.meta).toMatchObject({ sources_known: 0 });
  });

  it("is streamed in its stored form: a token of an unknown source stays unchanged", async () => {
    await using bench = await open();
    bench.simulator.script([{ reply: callOf("shop.find", {}) }, { reply: { text: "See [[S:1]] and [[S:2]]." } }]);
    await bench.turn("Look it up.");
    const shown = bench.signals.flatMap((signal) =>
      signal.type === "delta" && signal.kind === "say" ? signal.text : [],
    );
    expect(shown.join("")).toBe("See [Page 1](https://example.com/1) and [[S:2]].");
  });
});
