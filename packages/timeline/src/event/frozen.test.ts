/**
 * Tests journals that earlier versions wrote. The files in `frozen/` never change, because they represent those of
 * users.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { debugPrint } from "../render/debug-print.ts";
import { foldEvents } from "../state/apply.ts";
import { Timeline } from "../timeline.ts";
import { decodeEvent } from "./codec.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => Math.ceil(text.length / 4) };
const read = (name: string) => readFileSync(new URL(`./frozen/${name}`, import.meta.url), "utf8");

const eventsIn = (name: string) =>
  read(name)
    .trimEnd()
    .split("\n")
    .map((line) => decodeEvent(JSON.parse(line)));

describe("a frozen journal", () => {
  it("with clips loads beside events of version 1 and renders to the same bytes", () => {
    const events = eventsIn("clipped.jsonl");
    expect(new Set(events.map(({ v }) => v))).toEqual(new Set([1, 2]));
    expect(debugPrint(Timeline.fromEvents(events, deps).render({ strategy: "seed" }))).toBe(read("clipped.txt"));
  });

  it("with given titles and messages that ask for an agent keeps them", () => {
    const events = eventsIn("asked-and-titled.jsonl");
    expect(new Set(events.map(({ v }) => v))).toEqual(new Set([1, 2]));
    const { meta, openTurn, openTurnChoice, pendingInputs } = foldEvents(events);
    expect([meta.conversation_title, openTurn, openTurnChoice]).toEqual([
      "Stones",
      "turn_5",
      { model: "anthropic:claude-sonnet-5" },
    ]);
    expect([...pendingInputs.values()]).toMatchObject([{ key: "d", message: "And dolmens?", agent: "second" }]);
  });
});
