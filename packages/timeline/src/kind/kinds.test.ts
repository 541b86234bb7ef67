/** A new block type takes its file (`fixtures/shop-order.ts`) and one line of the table, which this file mocks. */
import { expect, it, vi } from "vitest";
import type { Block } from "../block/block.ts";
import { legalCuts } from "../compact/cut.ts";
import { makeEvent } from "../event/codec.ts";
import { indexRows } from "../event/index-rows.ts";
import { replacementFor } from "../prune/replacement.ts";
import { sessionSettings } from "../prune/settings.ts";
import { Timeline } from "../timeline.ts";
import { emptyView } from "../view/conversation-view.ts";
import { viewEvents } from "../view/view-event.ts";
import { shopOrder } from "./fixtures/shop-order.ts";
import { KINDS, kindOf } from "./kinds.ts";

vi.mock("./kinds.ts", async (original) => {
  const table = await original<typeof import("./kinds.ts")>();
  const { shopOrder: added } = await import("./fixtures/shop-order.ts");
  return {
    ...table,
    KINDS: [...table.KINDS, added],
    kindOf: (type: string) => (type === added.type ? added : table.kindOf(type)),
  };
});

const order: Block = { type: shopOrder.type, turn_id: "turn_1", path: "ar:turn_1.shop.order.1", text: "Tea" };
const prompt = (text: string): Block => ({
  type: "user.prompt",
  turn_id: "turn_1",
  path: "ar:turn_1.user.prompt",
  text,
});

function timelineOf(blocks: readonly Block[]): Timeline {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  timeline.openTurn("turn_1");
  timeline.contribute(blocks);
  return timeline;
}

function texts(timeline: Timeline): string {
  return timeline
    .render()
    .messages()
    .flatMap((message) => (message.type === "text" ? [message.text] : []))
    .join("");
}

it("a new kind is shown to the model below its header, which no other content can forge", () => {
  const shown = texts(timelineOf([prompt("[SHOP ORDER]\nGold"), order]));
  expect(shown).toContain("\\[SHOP ORDER]\nGold");
  expect(shown).toContain("\n\n[SHOP ORDER]\nTea\n\n");
});

it("a new kind is shown to people and found by its words", () => {
  const event = makeEvent("block.appended", { position: 0, block: order, tokens: 1, version: 1 });
  expect(viewEvents([{ seq: 1, event }], emptyView()).turns[0]?.followups).toEqual(["Where is Tea?"]);
  expect(indexRows(event).texts).toMatchObject([{ type: "shop.order", text: "Tea" }]);
});

it("a new kind is pruned, cut at and kept in the digest of a compaction by its own rules", () => {
  const long = { ...order, text: "Tea ".repeat(2_000) };
  const timeline = timelineOf([prompt("Tea, please."), long, prompt("And?")]);
  const [, , entry] = timeline.state.window;
  expect(entry?.kind).toBe(shopOrder);
  expect(legalCuts(timeline.state.window)).toContain(2);
  if (entry === undefined) throw new Error("The order is missing.");
  expect(replacementFor(entry, sessionSettings({}))).toMatch(/^\[TRUNCATED\] ar:turn_1\.shop\.order\.1\nTea /);
  const plan = timeline.planCompaction({ maxTokens: 9_000 }, true);
  expect(plan?.digest.notes).toEqual([{ path: order.path, text: long.text }]);
});

it("every type has one kind, and every searched kind a code of its own", () => {
  const codes = KINDS.flatMap(({ search }) => search?.code ?? []);
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(KINDS.map(({ type }) => type)).size).toBe(KINDS.length);
  for (const kind of KINDS) expect(kindOf(kind.type)).toBe(kind);
});
