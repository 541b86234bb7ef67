import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import type { JsonObject } from "@cairn/timeline";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "./tool.ts";
import type { DeclaredTraits } from "./tool-traits.ts";

async function recordedBy(traits: DeclaredTraits | undefined, params: JsonObject): Promise<unknown> {
  const find = defineTool({
    id: "shop.find",
    description: "Find something.",
    params: z.object({ what: z.string() }),
    run: async () => ({ ok: true, ret: "found" }),
    ...(traits === undefined ? {} : { traits }),
  });
  await using bench = await TurnBench.open({ agent: { tools: [find] } });
  const { blocks } = await playTurn(bench, [callOf("shop.find", params)]);
  return blocks.find(({ type }) => type === "react.tool.call")?.meta?.traits;
}

it("a call records the traits that its tool declares, with the label for its parameters", async () => {
  const tea = { icon: "search", done: "Found tea", doing: "Find tea" } as const;
  const other = { icon: "search", done: "Found", doing: "Find", shows: { params: ["what"], as: "quote" } } as const;
  const traits: DeclaredTraits = { bulky: true, label: ({ what }) => (what === "tea" ? tea : other) };
  expect(await recordedBy(traits, { what: "tea" })).toEqual({ bulky: true, label: tea });
  expect(await recordedBy(traits, { what: "milk" })).toEqual({ bulky: true, label: other });
});

it("a call of a tool without traits records none", async () => {
  expect(await recordedBy(undefined, { what: "tea" })).toBeUndefined();
});
