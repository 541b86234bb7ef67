import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelPart } from "../model/model.ts";
import { gatherAnswer } from "./ask-model.ts";
import type { RawCall } from "./decision.ts";
import { JsonRest } from "./json-rest.ts";
import { anchorOf, Seam } from "./seam.ts";
import { partsOf, readUnfinished, restOf, unfinishedBlock, unfinishedOf } from "./unfinished.ts";

/** Splits the text into pieces of the given sizes, which are repeated. */
function piecesOf(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, nth = 0; at < text.length; nth++) {
    const size = sizes[nth % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

function joined(before: string, next: string, sizes: readonly number[] = [4]): string {
  const seam = new Seam(before);
  return (
    before +
    piecesOf(next, sizes)
      .map((piece) => seam.push(piece))
      .join("") +
    seam.end()
  );
}

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 });
const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 60 }).map((all) => all.join(" "));

describe("joining a continued answer", () => {
  it("works for an answer that was cut off anywhere and continued from its anchor, however the rest is split", () => {
    fc.assert(
      fc.property(words, fc.nat(), sizes, (text, at, pieces) => {
        const before = text.slice(0, 1 + (at % text.length));
        const next = anchorOf(before) + text.slice(before.length);
        // If the end of a text repeats itself, the parts are joined unchanged, because the place where the next part
        // continues is unknown.
        fc.pre(!/(.{6,}) ?\1$/.test(before));
        expect(joined(before, next, pieces)).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  it("gives the same result however the rest is split", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), sizes, (before, next, pieces) => {
        expect(joined(before, next, pieces)).toBe(joined(before, next, [1_000]));
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ["nothing is repeated", "The first ship was ", "the Aurora.", "The first ship was the Aurora."],
    ["the last word is repeated", "It was the largest", "largest of its time.", "It was the largest of its time."],
    ["half a word is completed", "a fisherm", "an who", "a fisherman who"],
    ["a whole sentence is repeated", "One. Two is here.", "\nTwo is here. Three.", "One. Two is here. Three."],
    ["rows are alike", "| 0 | 0 |\n| 0 | 0 |\n", "| 0 | 0 |\n| 1 | 1 |", "| 0 | 0 |\n| 0 | 0 |\n| 0 | 0 |\n| 1 | 1 |"],
  ])("works when %s", (_, before, next, text) => {
    expect(joined(before, next)).toBe(text);
  });
});

it("the rest of an object ends with the object, and is the same however it is split", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json()), fc.nat(), sizes, fc.string(), (object, at, pieces, behind) => {
      const json = JSON.stringify(object);
      const before = json.slice(0, 1 + (at % (json.length - 1)));
      const rest = new JsonRest(before);
      const kept = piecesOf(`${json.slice(before.length)}${behind}`, pieces).map((piece) => rest.push(piece));
      expect(before + kept.join("")).toBe(json);
      expect(rest.isOver).toBe(true);
    }),
    { numRuns: runs },
  );
});

const calls: fc.Arbitrary<readonly RawCall[]> = fc.array(
  fc.record({ name: fc.string(), params: fc.string() }).map(({ name, params }) => ({
    name: name.toWellFormed(),
    params: params.toWellFormed(),
  })),
  { maxLength: 3 },
);

it("an unfinished answer is read as it was stored", () => {
  fc.assert(
    fc.property(fc.string(), calls, fc.integer({ min: 1, max: 5 }), (text, made, parts) => {
      const unfinished = { text: text.toWellFormed(), calls: made, parts };
      const block = JSON.parse(JSON.stringify(unfinishedBlock("turn_1", unfinished)));
      expect(readUnfinished(block)).toEqual(unfinished);
    }),
    { numRuns: runs },
  );
});

it.each([
  { type: "react.decision.raw", text: "{}" },
  { type: "react.decision.raw", text: "x", meta: { unfinished: { parts: "1" } } },
  { type: "react.notice", text: "x", meta: { unfinished: { parts: 1, said: 1, calls: [] } } },
])("another block is not an unfinished answer: %j", (block) => {
  expect(readUnfinished(block)).toBeNull();
});

async function* stream(parts: readonly unknown[]): AsyncGenerator<ModelPart> {
  for (const part of parts) yield part as ModelPart;
}

it("calls before the one that was cut off stay, and calls after it follow", async () => {
  const first = { name: "a", params: '{"x":1}' };
  const unfinished = { text: "Notes.", calls: [first, { name: "b", params: '{"y":' }], parts: 1 };
  const rest = stream([
    ...[{ type: "text", text: '{"y":2}' }, null, { type: "call", index: 0, name: "c" }],
    ...[
      { type: "params", index: 0, text: "{}" },
      { type: "finish", reason: "calls" },
    ],
  ]);
  async function* all(): AsyncGenerator<ModelPart> {
    yield* partsOf(unfinished);
    yield* restOf(unfinished, rest);
  }
  expect(await gatherAnswer(all(), () => undefined)).toMatchObject({
    text: "Notes.",
    calls: [first, { name: "b", params: '{"y":2}' }, { name: "c", params: "{}" }],
  });
});

it("only an answer that has begun and was cut off is unfinished", () => {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const raw = { text: "Hi", thinking: "", calls: [], usage, leftOut: [] };
  expect(unfinishedOf({ ...raw, reason: "stop" }, 1)).toBeNull();
  expect(unfinishedOf({ ...raw, reason: "length", text: " \n" }, 1)).toBeNull();
  expect(unfinishedOf({ ...raw, reason: "length" }, 1)).toEqual({ text: "Hi", calls: [], parts: 1 });
  expect(unfinishedOf({ ...raw, reason: "pause", calls: [{ name: "a", params: "{}" }] }, 1)).toBeNull();
});
