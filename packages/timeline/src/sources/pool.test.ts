import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../base/json.ts";
import { createPool, mergeSources } from "./pool.ts";
import type { SourceInput, SourceRow } from "./row.ts";

const web = (url: string, more: JsonObject = {}): SourceInput => ({ source_type: "web", url, ...more });
const file = (name: string, more: JsonObject = {}): SourceInput => ({
  source_type: "file",
  physical_path: `turn_1/files/${name}`,
  ...more,
});

test("an existing row keeps its SID and its fields, and a new one gets the next SID", () => {
  const { pool, sids } = mergeSources(
    [{ sid: 1, ...web("https://example.com/a", { title: "A", custom: "kept" }) }],
    [web("https://EXAMPLE.com/a/?utm_source=x#frag", { title: "A longer title" }), web("https://example.com/b")],
  );
  expect(sids).toEqual([1, 2]);
  expect(pool).toEqual([
    { sid: 1, source_type: "web", url: "https://example.com/a", title: "A longer title", custom: "kept" },
    { sid: 2, source_type: "web", url: "https://example.com/b" },
  ]);
});

test("the longer title, text and content are kept, and of equal ones the existing one", () => {
  const first = web("https://e.com", { title: "aaa", text: "short", content: "xx" });
  const { pool } = mergeSources([], [first, web("https://e.com", { title: "bbb", text: "longer text", content: "x" })]);
  expect(pool).toEqual([{ sid: 1, ...first, text: "longer text" }]);
});

test("missing fields are filled and others kept", () => {
  const { pool } = mergeSources(
    [],
    [
      web("https://e.com", { author: null, domain: "", authority: 0 }),
      web("https://E.com/", { author: "A", domain: "e.com", authority: 9, note: null }),
    ],
  );
  expect(pool).toEqual([{ sid: 1, ...web("https://e.com"), author: "A", domain: "e.com", authority: 0, note: null }]);
});

test("for a file, newer text, mime, size and hosting fields replace older ones, and missing values replace nothing", () => {
  const old = file("a", {
    title: "Long title",
    text: "long old text",
    mime: "text/plain",
    size_bytes: 9,
    rn: "r1",
    key: "k",
  });
  const { pool } = mergeSources(
    [],
    [old, file("a", { title: "T", text: "new", mime: "text/x", size_bytes: 3, rn: "r2", key: null })],
  );
  expect(pool).toEqual([{ sid: 1, ...old, text: "new", mime: "text/x", size_bytes: 3, rn: "r2" }]);
  expect(mergeSources(pool, [file("a", { text: "" })]).pool[0]).toMatchObject({ text: "" });
});

test("inline base64 enters up to 4,000 characters", () => {
  const { pool } = mergeSources([], [file("a", { base64: "x".repeat(4000) }), file("b", { base64: "x".repeat(4001) })]);
  expect(pool.map((row) => row.base64?.length)).toEqual([4000, undefined]);
});

test("a row without identity is always new, and its own SID is ignored", () => {
  const { sids } = mergeSources([{ sid: 4, title: "a" }], [{ title: "a" }, { title: "a", sid: 99 } as SourceInput]);
  expect(sids).toEqual([5, 6]);
});

test("a stored pool keeps every row and SID, including repeats; a row without a valid SID gets the next", () => {
  const stored = [
    { sid: 7, url: "https://e.com" },
    { sid: 3, url: "https://e.com" },
    { url: "https://f.com" },
    { sid: -1 },
  ];
  const { pool, sids } = mergeSources(stored, [{ url: "https://e.com#x" }, { url: "https://f.com" }]);
  expect(pool.map((row) => row.sid)).toEqual([7, 3, 8, 9]);
  expect(sids).toEqual([7, 8]);
});

test("the inputs stay unchanged, and unchanged rows keep their reference", () => {
  const stored: readonly SourceRow[] = Object.freeze([
    Object.freeze({ sid: 1, url: "https://e.com/1" }),
    Object.freeze({ sid: 2, url: "https://e.com/2" }),
  ]);
  const { pool, changed } = mergeSources(
    stored,
    Object.freeze([{ url: "https://e.com/1", title: "T" }, { url: "https://e.com/2" }]),
  );
  expect(pool[1]).toBe(stored[1]);
  expect(changed).toEqual([{ sid: 1, url: "https://e.com/1", title: "T" }]);
});

test("rows that are not objects are refused, and then nothing is merged", () => {
  const pool = createPool();
  for (const rows of [[web("https://e.com"), null], [[]], ["x"], null, {}])
    expect(() => pool.merge(rows as never)).toThrow(expect.objectContaining({ code: "bad_source" }));
  expect(() => createPool([null] as never)).toThrow(expect.objectContaining({ code: "bad_source" }));
  expect(pool.size).toBe(0);
});

test("a pool without free SIDs reports it", () => {
  expect(() => mergeSources([{ sid: Number.MAX_SAFE_INTEGER }], [{}])).toThrow(
    expect.objectContaining({ code: "bad_source" }),
  );
});

test("a field called __proto__ or constructor is a field like any other", () => {
  const hostile: JsonObject = JSON.parse('{"url":"https://e.com","__proto__":{"polluted":true},"constructor":"c"}');
  const { pool } = mergeSources([{ sid: 1, url: "https://e.com" }], [hostile as SourceInput]);
  expect(JSON.stringify(pool[0])).toBe(
    '{"sid":1,"url":"https://e.com","__proto__":{"polluted":true},"constructor":"c"}',
  );
  expect(Object.getPrototypeOf(pool[0])).toBe(Object.prototype);
  expect(({} as JsonObject).polluted).toBeUndefined();
});

const value: fc.Arbitrary<Json> = fc.oneof(fc.string({ maxLength: 4 }), fc.nat({ max: 3 }), fc.constant(null));
const fields = fc.dictionary(
  fc.constantFrom(
    "title",
    "text",
    "content",
    "mime",
    "size_bytes",
    "rn",
    "base64",
    "sid",
    "custom",
    "__proto__",
    "constructor",
  ),
  value,
);
const anchor: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.nat({ max: 4 }).map((n) => ({ url: `https://e.com/${n}?utm_x=${n}` })),
  fc.nat({ max: 4 }).map((n) => ({ physical_path: `turn_1/files/${n}` })),
  fc.nat({ max: 2 }).map((n) => ({ url: `no url ${n}` })),
);
const withIdentity = fc
  .tuple(anchor, fields)
  .map(([start, rest]) => Object.fromEntries([...Object.entries(rest), ...Object.entries(start)]) as SourceInput);
const anyRow = fc.oneof({ weight: 4, arbitrary: withIdentity }, fields as fc.Arbitrary<SourceInput>);

test("over any sequence of merges SIDs stay, increase and are never reused, and no field is dropped", () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyRow, { maxLength: 6 }), { maxLength: 5 }), (batches) => {
      const incremental = createPool();
      let rows: readonly SourceRow[] = [];
      for (const batch of batches) {
        const merged = mergeSources(rows, batch);
        const report = incremental.merge(batch);
        expect(incremental.rows()).toEqual(merged.pool);
        expect(report).toEqual({ sids: merged.sids, changed: merged.changed });
        expect(merged.pool.map((row) => row.sid)).toEqual(merged.pool.map((_, at) => at + 1));
        expect(merged.sids).toHaveLength(batch.length);
        rows.forEach((row, at) => {
          const after = merged.pool[at] ?? { sid: 0 };
          for (const field of Object.keys(row)) expect(Object.hasOwn(after, field)).toBe(true);
          expect(merged.changed.includes(after)).toBe(after !== row);
        });
        batch.forEach((row, at) => {
          const after = incremental.get(merged.sids[at] ?? 0) ?? {};
          for (const field of Object.keys(row)) expect(Object.hasOwn(after, field)).toBe(true);
        });
        rows = merged.pool;
      }
    }),
    { numRuns: runs },
  );
});

test("merging the same rows with identity again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(withIdentity, { maxLength: 8 }), (batch) => {
      const once = mergeSources([], batch);
      const twice = mergeSources(once.pool, batch);
      expect(twice.sids).toEqual(once.sids);
      expect(twice.pool).toEqual(once.pool);
    }),
    { numRuns: runs },
  );
});

const rowsOf = (size: number) => Array.from({ length: size }, (_, n) => web(`https://e.com/${n}`, { title: `t${n}` }));

test("a merge reads only the rows of the pool that it changes", () => {
  let reads = 0;
  const watched = rowsOf(1000).map(
    (row, n) =>
      new Proxy(
        { ...row, sid: n + 1 },
        {
          get(target, field, self) {
            reads++;
            return Reflect.get(target, field, self);
          },
        },
      ),
  );
  const pool = createPool(watched);
  const readsOf = (url: string) => {
    reads = 0;
    pool.merge([web(url)]);
    return reads;
  };
  expect(readsOf("https://e.com/new")).toBe(0);
  expect(readsOf("https://e.com/500")).toBeLessThan(10);
});

test("the cost of a merge depends on its rows, not on the pool", { retry: 4 }, () => {
  const oneByOne = (rows: SourceInput[]) => {
    const pool = createPool();
    for (const row of rows) pool.merge([row]);
  };
  expect(growthOnDoubling(rowsOf, oneByOne, 5_000)).toBeLessThan(3);
});
