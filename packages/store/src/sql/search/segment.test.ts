import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSegment, mergeSegments, type TextToIndex } from "./segment.ts";
import { blockOf, decodeDirectory, encodeDirectory, readBlock } from "./term-blocks.ts";
import { decodeTable, encodeTable, textsOf } from "./text-table.ts";

const number = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 40 }));
const text = fc.record({
  conversation: fc.nat({ max: 4 }),
  length: fc.nat({ max: 100_000 }),
  kind: fc.nat({ max: 5 }),
  time: fc.integer({ min: -(2 ** 33), max: 2 ** 33 }),
  terms: fc.dictionary(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 1, max: 70_000 })),
});
/** Texts with an event each; `gap` makes the steps between their numbers large or small. */
const texts = fc.tuple(fc.array(text, { maxLength: 30 }), number).map(([all, gap]) =>
  all.map((each, nth): TextToIndex => {
    const terms = Object.keys(each.terms);
    return { ...each, event: (nth + 1) * (gap + 1), terms, counts: Object.values(each.terms) };
  }),
);

const plain = (segment: ReturnType<typeof buildSegment>) => ({
  texts: [...textsOf(segment.table)],
  terms: segment.blocks.flatMap((block) => [...readBlock(block, () => true)]),
});

describe("a segment", () => {
  it("returns the texts and terms it was made of", () => {
    fc.assert(
      fc.property(texts, (all) => {
        const segment = buildSegment(all);
        const table = decodeTable(encodeTable(segment.table));
        expect([...textsOf(table)]).toEqual([...textsOf(segment.table)]);
        expect(table.count).toBe(all.length);
        const held = new Map(
          all.map(({ event, terms, counts }) => [event, new Map(terms.map((term, nth) => [term, counts[nth]]))]),
        );
        let postings = 0;
        for (const [term, { texts: numbers, counts }] of plain(segment).terms)
          for (const [nth, text] of Array.from(numbers).entries()) {
            expect(held.get(table.events[text] ?? 0)?.get(term)).toBe(counts[nth]);
            postings++;
          }
        expect(postings).toBe(all.reduce((sum, { terms }) => sum + terms.length, 0));
      }),
      { numRuns: runs },
    );
  });

  it("made by merging equals the one made of all texts at once, without those that are removed", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), fc.nat({ max: 4 }), (all, pieces, dropped) => {
        const parts = Array.from({ length: pieces }, (_, nth) => all.filter(({ event }) => event % pieces === nth));
        const merged = mergeSegments(parts.map(buildSegment), ({ conversation }) => conversation !== dropped);
        expect(plain(merged)).toEqual(plain(buildSegment(all.filter(({ conversation }) => conversation !== dropped))));
      }),
      { numRuns: runs },
    );
  });

  it("names the block of every term in its directory", () => {
    const terms = Array.from({ length: 3_000 }, (_, nth) => `term ${nth * 7}`);
    const counts = terms.map((_, nth) => 1 + (nth % 3));
    const segment = buildSegment([{ conversation: 1, event: 1, length: 1, kind: 1, time: 0, terms, counts }]);
    expect(segment.blocks.length).toBeGreaterThan(5);
    const directory = decodeDirectory(encodeDirectory(segment.directory));
    for (const term of terms) {
      const block = segment.blocks[blockOf(directory, term)] ?? new Uint8Array();
      expect([...readBlock(block, (each) => each === term)]).toHaveLength(1);
    }
    expect(blockOf(directory, "")).toBe(-1);
  });

  it("is corrupt when a single bit of it is flipped", () => {
    const { blocks } = buildSegment([
      { conversation: 1, event: 1, length: 1, kind: 1, time: 0, terms: ["a"], counts: [1] },
    ]);
    const [block = new Uint8Array()] = blocks;
    for (let bit = 0; bit < block.length * 8; bit++) {
      const damaged = block.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      expect(() => [...readBlock(damaged, () => true)]).toThrow(expect.objectContaining({ code: "corrupt" }));
    }
  });
});
