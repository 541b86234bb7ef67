import { standingOrders } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { noteTool } from "./note.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
  bench.timeline.contribute([
    {
      type: "user.prompt",
      turn_id: "turn_1",
      path: "ar:turn_1.user.prompt",
      text: "From now on answer in French. Never mention my age.",
    },
  ]);
});
afterEach(() => bench[Symbol.asyncDispose]());

const orders = () => standingOrders(bench.timeline.state).map(({ by, kind, text }) => `${kind} by ${by}: ${text}`);
const FRENCH = "language by person: From now on answer in French.";
const AGE = "rule by person: Never mention my age.";

describe("react.note", () => {
  it("adds an order: the note, and the status of the order", async () => {
    const { blocks } = await bench.call(noteTool, { kind: "units", text: "Metric units." });
    expect(outline(blocks)).toEqual([
      "react.note ar:turn_1.react.note.tc_1 text/markdown",
      "react.tool.result tc:turn_1.tc_1.result application/json",
    ]);
    expect(json(blocks[1])).toMatchObject({ status: "added", kind: "units", path: "ar:turn_1.react.note.tc_1" });
    expect(orders()).toEqual([FRENCH, AGE, "units by agent: Metric units."]);
    expect(bench.view("[INTERNAL NOTE]")).toMatch(/^\[INTERNAL NOTE\]\nMetric units\.\n\n/);
  });

  it("corrects an order that it names by its words, whatever the case and spacing", async () => {
    const text = "Mention my age only when I do.";
    const { blocks } = await bench.call(noteTool, { kind: "rule", text, replaces: "never mention  my age" });
    expect(json(blocks[1])).toMatchObject({ status: "corrected" });
    expect(orders()).toEqual([FRENCH, `rule by agent: ${text}`]);
    expect(blocks[0]?.text).toBe(`${text}\nIn place of: Never mention my age.`);
  });

  it("closes an order, and a later order on the same subject replaces a note", async () => {
    const { blocks } = await bench.call(noteTool, { kind: "rule", replaces: "Never mention my age." });
    expect(json(blocks[1])).toMatchObject({ status: "closed" });
    expect(blocks[0]?.text).toBe("No longer holds: Never mention my age.");
    expect(orders()).toEqual([FRENCH]);
    await bench.call(noteTool, { kind: "language", text: "Answer in German." });
    expect(orders()).toEqual(["language by agent: Answer in German."]);
    await bench.call(noteTool, { kind: "language", replaces: "ar:turn_1.react.note.tc_2" });
    expect(orders()).toEqual([]);
  });

  it("lists the orders when it matches none or several, and when it has no text", async () => {
    const error = async (params: object) => json((await bench.call(noteTool, params)).blocks[0]).error;
    expect(await error({ kind: "rule", replaces: "Always be funny." })).toMatchObject({
      code: "no_order",
      message: expect.stringContaining("From now on answer in French."),
    });
    expect(await error({ kind: "rule", replaces: "ar:turn_1.user.prompt" })).toMatchObject({
      code: "no_order",
      message: expect.stringContaining("Several orders"),
    });
    expect(await error({ kind: "rule" })).toMatchObject({ code: "empty_note" });
  });
});
