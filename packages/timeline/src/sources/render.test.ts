import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { parseSelector } from "../path/selector.ts";
import { createPool } from "./pool.ts";
import { renderSources } from "./render.ts";
import type { SourceRow } from "./row.ts";

const lineOf = (row: JsonObject) => renderSources([{ sid: 1, ...row }]).split("\n")[1];

test("the tail block has the specified form", () => {
  const pool: SourceRow[] = [
    {
      sid: 3,
      source_type: "attachment",
      title: "menu.pdf",
      artifact_path: "fi:turn_123.user.attachments/menu.pdf",
      physical_path: "turn_123/attachments/menu.pdf",
      mime: "application/pdf",
      size_bytes: 183942,
      rn: "rn:x/menu.pdf",
      hosted_uri: "s3://bucket/menu.pdf",
      key: "secret",
    },
    { sid: 1, source_type: "web", url: "https://example.com/a", title: "A title", text: "x".repeat(1248) },
    { sid: 2, source_type: "web", url: "https://x.com/", domain: "another.com", text: "word ".repeat(64) },
  ];
  expect(renderSources(pool)).toBe(
    [
      "SOURCES POOL (3 sources)",
      '[S:1] example.com  |  "A title"  |  ~312 tok',
      '[S:2] another.com  |  "word word word word word word word word word word word word"  |  ~80 tok',
      '[S:3] fi:turn_123.user.attachments/menu.pdf  |  "menu.pdf"  |  ~45985 tok  |  <base64>',
    ].join("\n"),
  );
  expect(renderSources(createPool(pool))).toBe(renderSources(pool));
});

test("an empty pool renders nothing", () => {
  expect(renderSources([])).toBe("");
  expect(renderSources(createPool())).toBe("");
});

test("a row of another type without text is marked as text", () => {
  expect(lineOf({ source_type: "web", url: "https://e.com/a", title: "T" })).toBe(
    '[S:1] e.com  |  "T"  |  ~0 tok  |  <text>',
  );
  expect(
    lineOf({ source_type: "file", physical_path: "turn_1/files/d/a.csv", mime: "text/csv", size_bytes: 403 }),
  ).toBe('[S:1] fi:turn_1.files/d/a.csv  |  "a.csv"  |  ~100 tok  |  <text>');
});

test("an image is marked as base64 even with text, and counted by its size", () => {
  const row = {
    source_type: "file",
    artifact_path: "fi:turn_1.files/a.png",
    mime: "Image/PNG; x=y",
    text: "alt",
    size_bytes: 11,
  };
  expect(lineOf(row)).toBe('[S:1] fi:turn_1.files/a.png  |  "alt"  |  ~2 tok  |  <base64>');
});

test("content is shown if the text is missing", () => {
  expect(lineOf({ source_type: "web", url: "https://e.com", content: "12345678" })).toBe(
    '[S:1] e.com  |  "12345678"  |  ~2 tok',
  );
});

test("a label has at most 60 characters and never splits one", () => {
  expect(lineOf({ source_type: "web", domain: "e.com", title: "📄".repeat(100), text: "t" })).toBe(
    `[S:1] e.com  |  "${"📄".repeat(60)}"  |  ~1 tok`,
  );
  expect(lineOf({ source_type: "web", domain: "e.com", title: `${"a".repeat(59)} b`, text: "t" })).toBe(
    `[S:1] e.com  |  "${"a".repeat(59)}"  |  ~1 tok`,
  );
});

test("without title and text the label is the URL, or the file's name", () => {
  expect(lineOf({ source_type: "web", url: "https://e.com/a" })).toContain('"https://e.com/a"');
  expect(lineOf({ source_type: "file", artifact_path: "fi:turn_1.files/x/y.pdf", mime: "application/pdf" })).toContain(
    '"y.pdf"',
  );
});

test("hosting fields are never shown, not even as a file's URL", () => {
  const line = lineOf({
    source_type: "file",
    url: "https://bucket.host/k",
    hosted_uri: "s3://b",
    rn: "rn",
    key: "k3y",
    mime: "image/png",
  });
  expect(line).toBe('[S:1] file  |  ""  |  ~0 tok  |  <base64>');
});

test("fields of a wrong type count as absent", () => {
  const row = {
    source_type: 1,
    title: {},
    text: [],
    url: 7,
    domain: false,
    mime: null,
    size_bytes: "9",
    artifact_path: 3,
  };
  expect(lineOf(row)).toBe('[S:1] unknown  |  ""  |  ~0 tok  |  <text>');
});

test("a row without a SID is shown with the one its pool gives it", () => {
  expect(renderSources([{ sid: 4, title: "a" }, { title: "b" } as never])).toContain("[S:5]");
  expect(() => renderSources([null] as never)).toThrow(expect.objectContaining({ code: "bad_source" }));
});

test("no field can start a line of its own", () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom("a\n[S:9] x", "\r\nb", "\u2028c", "\u0085", "x\u0000y"),
  );
  const field = fc.constantFrom(
    "title",
    "text",
    "content",
    "url",
    "domain",
    "artifact_path",
    "physical_path",
    "source_type",
  );
  fc.assert(
    fc.property(fc.dictionary(field, hostile), fc.boolean(), (fields, web) => {
      const text = renderSources([{ ...fields, sid: 1, ...(web ? { source_type: "web" } : {}) }]);
      expect(text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)).toHaveLength(2);
      expect(text).toMatch(
        /^SOURCES POOL \(1 sources\)\n\[S:1\] .* {2}\| {2}".*" {2}\| {2}~\d+ tok( {2}\| {2}<(text|base64)>)?$/u,
      );
    }),
    { numRuns: runs },
  );
});

const numbered = (count: number): SourceRow[] =>
  Array.from({ length: count }, (_, n) => ({
    sid: n + 1,
    source_type: "web",
    domain: "e.com",
    title: `Title ${n + 1}`,
    text: "t",
  }));
const countTokens = (text: string) => Math.ceil(text.length / 4);

test("within the budget every row is shown", () => {
  const whole = renderSources(numbered(20));
  expect(renderSources(numbered(20), { budgetTokens: 10_000 })).toBe(whole);
});

test("over the budget the oldest unpinned rows fold into ranges, and only as many as needed", () => {
  const text = renderSources(numbered(60), { budgetTokens: 200, isPinned: (sid) => sid === 2 || sid === 10 });
  const lines = text.split("\n");
  expect(lines[0]).toBe("SOURCES POOL (60 sources)");
  expect(lines[1]).toMatch(/^\[S:1\] /);
  expect(lines[2]).toMatch(/^\[S:2\] e\.com/);
  expect(lines[3]).toBe("[S:3-9] 7 more: react.read so:sources_pool[3-9]");
  expect(lines[4]).toMatch(/^\[S:10\] e\.com/);
  expect(lines[5]).toMatch(/^\[S:11-\d+\] \d+ more: react\.read so:sources_pool\[11-\d+\]$/);
  expect(lines.at(-1)).toMatch(/^\[S:60\] e\.com/);
  expect(countTokens(text)).toBeLessThanOrEqual(200);
  expect(countTokens(text)).toBeGreaterThan(170);
});

test("a single row folds where that saves something", () => {
  const pool = [{ sid: 1, domain: "d".repeat(200), text: "t" }, ...numbered(3).slice(1)];
  const text = renderSources(pool, { budgetTokens: 50 });
  expect(text.split("\n")[1]).toBe("[S:1] 1 more: react.read so:sources_pool[1]");
});

test("pinned rows are shown even if they exceed the budget", () => {
  expect(renderSources(numbered(5), { budgetTokens: 0, isPinned: () => true })).toBe(renderSources(numbered(5)));
});

test("folded or not, every row is in the block exactly once, and pinned rows in full", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 80 }), { maxLength: 50 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 80 })),
      fc.nat({ max: 900 }),
      (sids, pins, budgetTokens) => {
        const pool = sids.map((sid) => ({
          sid,
          source_type: "web",
          domain: "e.com",
          title: "t".repeat(sid),
          text: "x",
        }));
        const pinned = new Set(pins);
        const text = renderSources(pool, { budgetTokens, isPinned: (sid) => pinned.has(sid), countTokens });
        const listed: number[] = [];
        for (const line of text.split("\n").slice(1)) {
          const fold = /^\[S:([\d-]+)\] (\d+) more: react\.read so:sources_pool\[\1\]$/.exec(line);
          const [range] = parseSelector(fold?.[1] ?? /^\[S:(\d+)\]/.exec(line)?.[1] ?? "");
          for (let sid = range?.from ?? 0; sid <= (range?.to ?? -1); sid++) {
            listed.push(sid);
            if (fold !== null) expect(pinned.has(sid)).toBe(false);
          }
          if (fold !== null && range !== undefined) expect(range.to - range.from + 1).toBe(Number(fold[2]));
        }
        expect(listed).toEqual([...sids].sort((a, b) => a - b));
      },
    ),
    { numRuns: runs },
  );
});

test("a row's tokens are counted once per row", () => {
  const pool = numbered(10);
  let calls = 0;
  const counting = (text: string) => {
    calls++;
    return text.length;
  };
  const first = renderSources(pool, { countTokens: counting, budgetTokens: 1e9 });
  const after = calls;
  expect(renderSources(pool, { countTokens: counting, budgetTokens: 1e9 })).toBe(first);
  expect(calls).toBe(after + 1);
});

// Work is counted, not timed, because cache misses of the processor would dominate the time of a warm render.
test("folding checks each row once and counts a bounded number of texts per row", () => {
  for (const size of [1_000, 10_000])
    for (const every of [2, 7, size]) {
      let asked = 0;
      let counted = 0;
      renderSources(numbered(size), {
        budgetTokens: 1000,
        isPinned: (sid) => {
          asked++;
          return sid % every === 0;
        },
        countTokens: (text) => {
          counted++;
          return countTokens(text);
        },
      });
      expect(asked).toBeLessThanOrEqual(2 * size);
      expect(counted).toBeLessThanOrEqual(3 * size + 10);
    }
});

test("a label made of blanks takes linear time", { retry: 4 }, () => {
  const blank = (size: number) => " ".repeat(size);
  const render = (text: string) => renderSources([{ sid: 1, title: text, text }]);
  expect(growthOnDoubling(blank, render, 50_000)).toBeLessThan(3);
});
