/** Tests that pictures and documents stay within the limits of the model's provider, and that the newest stay. */
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { Timeline } from "../timeline.ts";
import type { FileLimits } from "./file-limits.ts";

const MB = 1_024 * 1_024;
const countTokens = (text: string) => text.length;
const deps = { clock: { now: () => 0 }, countTokens };

interface File {
  readonly bytes: number;
  readonly side?: number;
  readonly pages?: number;
}

let nth = 0;
function fileBlock({ bytes, side, pages }: File): Block {
  const name = `f${++nth}`;
  return {
    type: "user.attachment",
    turn_id: "turn_1",
    path: `fi:turn_1.user.attachments/${name}`,
    mime: pages === undefined ? "image/png" : "application/pdf",
    meta: {
      blob: `sha256:${"0".repeat(64)}`,
      size_bytes: bytes,
      ...(side === undefined ? {} : { width: side, height: 10 }),
      ...(pages === undefined ? {} : { pages }),
    },
  };
}

function timelineOf(files: readonly File[]): Timeline {
  const timeline = Timeline.create(deps);
  timeline.openTurn("turn_1");
  timeline.contribute(files.map(fileBlock));
  return timeline;
}

/** Numbers of the files that are shown, from 0. */
function shown(timeline: Timeline): number[] {
  return entriesOf(timeline).flatMap(({ isWhole }, at) => (isWhole ? [at] : []));
}

function entriesOf(timeline: Timeline) {
  return timeline.state.window.filter(({ block }) => block.type === "user.attachment");
}

const pictures = (count: number, file: File = { bytes: 3 }) => Array.from({ length: count }, () => file);

describe("more files than a provider accepts", () => {
  it.each<[string, readonly File[], FileLimits, readonly number[]]>([
    ["all of them stay within the limit", pictures(4), { count: 4 }, [0, 1, 2, 3]],
    ["by number, the newest that take half of it stay", pictures(11), { count: 10 }, [6, 7, 8, 9, 10]],
    ["by size, too", pictures(8, { bytes: 3 * MB }), { base64: 24 * MB }, [5, 6, 7]],
    [
      "pages of documents count as pictures do",
      [{ bytes: 3, pages: 6 }, ...pictures(5)],
      { count: 10 },
      [1, 2, 3, 4, 5],
    ],
    [
      "one that is too large by itself goes alone",
      [{ bytes: 3 }, { bytes: 6 * MB }],
      { largest: { image: 5 * MB } },
      [0],
    ],
    ["and so does one with too many pages", [{ bytes: 3, pages: 11 }, { bytes: 3 }], { count: 10 }, [1]],
    ["and one that is too wide", [{ bytes: 3, side: 9_000 }, { bytes: 3 }], { side: 8_000 }, [1]],
    [
      "a wide one allows fewer beside it",
      [...pictures(20), { bytes: 3, side: 2_400 }],
      { count: 100, large: { side: 2_000, count: 20 } },
      [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    ],
    ["the newest stays even when it takes more than half", [{ bytes: 3 }, { bytes: 9 * MB }], { base64: 12 * MB }, [1]],
  ])("%s", (_, files, limits, expected) => {
    const timeline = timelineOf(files);
    timeline.clipFiles(limits);
    expect(shown(timeline)).toEqual(expected);
  });

  it("are removed with their paths shown, and a file that is too large says so", () => {
    const timeline = timelineOf([...pictures(3), { bytes: 6 * MB }]);
    timeline.clipFiles({ count: 2, largest: { image: 5 * MB } });
    const texts = timeline
      .render()
      .messages()
      .flatMap((message) => (message.type === "text" ? [message.text] : []));
    const notes = texts.join("").match(/\[CLIPPED\].*/g);
    expect(notes).toEqual([
      expect.stringMatching(
        /^\[CLIPPED\] image\/png, 3 bytes: no longer shown, .* See it again with react\.read \{"paths":\["fi:/,
      ),
      expect.stringContaining("no longer shown"),
      expect.stringMatching(/6291456 bytes: too large to be shown\. Path: fi:/),
    ]);
  });

  it("are a declared reset only if a request had shown them", () => {
    const timeline = timelineOf(pictures(2));
    timeline.record("model.receipt", { started_at: 0 });
    timeline.contribute([fileBlock({ bytes: 3 }), fileBlock({ bytes: 9 * MB })]);
    expect(timeline.clipFiles({ count: 2, largest: { image: 5 * MB } })).toEqual([
      { cause: "clip", blocks: 2, tokens: expect.any(Number) },
    ]);
    const fresh = timelineOf(pictures(3));
    fresh.record("model.receipt", { started_at: 0 });
    fresh.contribute([fileBlock({ bytes: 9 * MB })]);
    expect(fresh.clipFiles({ largest: { image: 5 * MB } })).toEqual([]);
  });

  it("of a kind that is described in words do not count", () => {
    const timeline = timelineOf([...pictures(5), { bytes: 3, pages: 1 }]);
    expect(timeline.clipFiles({ count: 2 }, new Set(["image"]))).toEqual([]);
    expect(shown(timeline)).toHaveLength(6);
  });
});

const anyFile = fc.record(
  { bytes: fc.nat(8 * MB), side: fc.nat(9_000), pages: fc.integer({ min: 1, max: 20 }) },
  { requiredKeys: ["bytes"] },
);
const anyLimits: fc.Arbitrary<FileLimits> = fc.record(
  {
    count: fc.integer({ min: 1, max: 30 }),
    base64: fc.integer({ min: MB, max: 40 * MB }),
    largest: fc.constant({ image: 5 * MB }),
    side: fc.constant(8_000),
    large: fc.constant({ side: 2_000, count: 4 }),
  },
  { requiredKeys: [] },
);

it("of any size and limit: the shown files are the newest within the limits, and stay when asked again", () => {
  fc.assert(
    fc.property(fc.array(anyFile, { maxLength: 60 }), anyLimits, (files, limits) => {
      const timeline = timelineOf(files);
      timeline.clipFiles(limits);
      const kept = shown(timeline);
      const measured = kept.map((at) => files[at] ?? { bytes: 0 });
      const pages = measured.reduce((sum, file) => sum + (file.pages ?? 1), 0);
      const base64 = measured.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 3) * 4, 0);
      expect(pages).toBeLessThanOrEqual(limits.count ?? pages);
      expect(base64).toBeLessThanOrEqual(limits.base64 ?? base64);
      // Between the files that stay, only files that are too large by themselves were dropped.
      const gone = entriesOf(timeline).flatMap(({ clip }, at) => (clip?.file_limit === true ? [at] : []));
      expect(Math.max(-1, ...gone)).toBeLessThan(Math.min(files.length, ...kept));
      expect(timeline.clipFiles(limits)).toEqual([]);
      expect(shown(timeline)).toEqual(kept);
    }),
    { numRuns: costlyRuns },
  );
});
