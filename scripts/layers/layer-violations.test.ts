import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkLayers } from "./layer-violations.ts";

const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A project of these files; every package that occurs gets a manifest that exports its index. */
function violationsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), "cairn-layers-"));
  roots.push(root);
  const packages = new Set(Object.keys(files).flatMap((path) => /^packages\/([^/]+)\//.exec(path)?.[1] ?? []));
  const manifests = [...packages].map((name) => [
    `packages/${name}/package.json`,
    JSON.stringify({ name: `@cairn/${name}`, exports: { ".": "./src/index.ts" } }),
  ]);
  // A given manifest replaces the generated one.
  for (const [path = "", text = ""] of [...manifests, ...Object.entries(files)]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkLayers(root).violations;
}

const timeline = { "packages/timeline/src/index.ts": "export const block = 1;" };
const store = { "packages/store/src/index.ts": 'export { block } from "@cairn/timeline";' };
const testkit = { "packages/testkit/src/index.ts": 'import "@cairn/store"; export const kit = 1;' };

test("imports along the arrow pass, and tests, bench and testkit may use testkit", () => {
  const violations = violationsOf({
    ...timeline,
    ...store,
    ...testkit,
    "packages/timeline/src/index.test.ts": 'import "node:fs"; import "@cairn/testkit"; import "./index.ts";',
    "bench/speed.ts": 'import "@cairn/testkit"; import "@cairn/store";',
  });
  expect(violations).toEqual([]);
});

test.each([
  ["an import", 'import { s } from "@cairn/store";'],
  ["a type-only import", 'import type { S } from "@cairn/store";'],
  ["an inline type import", 'export type S = import("@cairn/store").S;'],
  ["a re-export", 'export * from "@cairn/store";'],
  ["a type-only re-export", 'export type { S } from "@cairn/store";'],
  ["a dynamic import", 'export const s = () => import("@cairn/store");'],
  ["a side-effect import", 'import "@cairn/store";'],
  ["a required module", 'export const s = require("@cairn/store");'],
])("%s against the arrow fails", (_, text) => {
  const violations = violationsOf({
    "packages/store/src/index.ts": "export type S = 1; export const s = 1;",
    "packages/timeline/src/index.ts": text,
  });
  expect(violations).toEqual([
    'packages/timeline/src/index.ts: imports "@cairn/store": timeline may import no other package',
  ]);
});

test("a test keeps to its package's arrow too", () => {
  const violations = violationsOf({
    ...timeline,
    ...store,
    "packages/timeline/src/a.test.ts": 'import "@cairn/store";',
  });
  expect(violations).toHaveLength(1);
});

test("code that ships never imports testkit", () => {
  const violations = violationsOf({
    ...timeline,
    ...store,
    ...testkit,
    "packages/store/src/open.ts": 'import "@cairn/testkit";',
    "examples/first.ts": 'import "@cairn/testkit";',
  });
  expect(violations).toEqual([
    'examples/first.ts: imports "@cairn/testkit": only tests, bench/, scripts/ and testkit itself import testkit',
    'packages/store/src/open.ts: imports "@cairn/testkit": only tests, bench/, scripts/ and testkit itself import testkit',
  ]);
});

test("a command may not import testkit", () => {
  const violations = violationsOf({
    ...testkit,
    "packages/cli/src/chat.ts": 'export const kit = import("@cairn/testkit");',
  });
  expect(violations).toContain(
    'packages/cli/src/chat.ts: imports "@cairn/testkit": only tests, bench/, scripts/ and testkit itself import testkit',
  );
});

test("a package is found by its npm name, whatever the name of its folder", () => {
  const violations = violationsOf({
    "packages/front/package.json": JSON.stringify({
      name: "cairn-agent",
      exports: { "./process": "./src/process.ts" },
    }),
    "packages/front/src/process.ts": "export const settings = 1;",
    "packages/server/src/serve.ts": 'import "cairn-agent/process";',
    "packages/agent/src/turn.ts": 'import "cairn-agent/process";',
    "packages/cli/src/chat.ts": 'import "cairn-agent";',
  });
  expect(violations).toEqual([
    'packages/agent/src/turn.ts: imports "cairn-agent/process": agent may import only timeline, store',
    'packages/cli/src/chat.ts: imports "cairn-agent": cairn-agent does not export it',
  ]);
});

test.each(['import "node:fs";', 'import { join } from "path";', 'export const fs = () => import("node:fs/promises");'])(
  "a Node built-in in the engine fails: %s",
  (text) => {
    const [violation] = violationsOf({ "packages/timeline/src/index.ts": text });
    expect(violation).toContain("the engine runs in browsers, without Node");
  },
);

test.each(["packages/store/src/open.ts", "packages/store/src/open.test.ts", "bench/speed.ts"])(
  "a relative path into another package fails in %s",
  (path) => {
    const up = "../".repeat(path.split("/").length - 1);
    const violations = violationsOf({ ...timeline, [path]: `import "${up}packages/timeline/src/index.ts";` });
    expect(violations).toEqual([
      `${path}: imports "${up}packages/timeline/src/index.ts": a relative import must stay inside its package; import other packages by name, @cairn/…`,
    ]);
  },
);

test("a file that another package does not export cannot be imported", () => {
  const violations = violationsOf({
    ...timeline,
    "packages/store/src/open.ts": 'import "@cairn/timeline/src/index.ts";',
  });
  expect(violations).toEqual([
    'packages/store/src/open.ts: imports "@cairn/timeline/src/index.ts": @cairn/timeline does not export it',
  ]);
});

test("only tests import the folder test of a package, which may use testkit", () => {
  const violations = violationsOf({
    ...testkit,
    ...store,
    ...timeline,
    "packages/store/test/bench.ts": 'import "@cairn/testkit";',
    "packages/store/src/open.test.ts": 'import "../test/bench.ts";',
    "packages/store/src/open.ts": 'import "../test/bench.ts";',
  });
  expect(violations).toEqual(['packages/store/src/open.ts: imports "../test/bench.ts": only a test imports a test']);
});

test("only a test imports a test", () => {
  const violations = violationsOf({
    "packages/timeline/src/index.ts": 'import "./block.test.ts";',
    "packages/timeline/src/block.test.ts": "",
  });
  expect(violations).toEqual(['packages/timeline/src/index.ts: imports "./block.test.ts": only a test imports a test']);
});

test("a package without a place in the layer order fails", () => {
  expect(violationsOf({ "packages/extra/src/a.ts": "", "packages/extra/src/b.ts": "" })).toEqual([
    "packages/extra: has no place in scripts/layers/layer-order.ts",
  ]);
});

test("a cycle fails, also one of types only, and is reported once", () => {
  const violations = violationsOf({
    "packages/timeline/src/a.ts": 'import type { B } from "./b.ts"; export type A = B | 1;',
    "packages/timeline/src/b.ts": 'import type { C } from "./c.ts"; export type B = C;',
    "packages/timeline/src/c.ts": 'export type C = import("./a.ts").A;',
    "packages/timeline/src/index.ts": 'import "./a.ts";',
  });
  expect(violations).toEqual([
    "cycle: packages/timeline/src/a.ts → packages/timeline/src/b.ts → packages/timeline/src/c.ts → packages/timeline/src/a.ts",
  ]);
});

test("a package that imports itself by name can close a cycle", () => {
  const violations = violationsOf({
    "packages/timeline/src/index.ts": 'export * from "./a.ts";',
    "packages/timeline/src/a.ts": 'import "@cairn/timeline";',
  });
  expect(violations).toEqual([
    "cycle: packages/timeline/src/a.ts → packages/timeline/src/index.ts → packages/timeline/src/a.ts",
  ]);
});

test("a cycle between folders fails and names the file that closes it", () => {
  const violations = violationsOf({
    "packages/example/src/index.ts": 'import "./a/one.ts";',
    "packages/example/src/a/one.ts": 'import "../b/one.ts";',
    "packages/example/src/a/two.ts": "",
    "packages/example/src/a/three.ts": 'import "../b/one.ts";',
    "packages/example/src/b/one.ts": "",
    "packages/example/src/b/two.ts": 'import "../a/two.ts";',
  });
  expect(violations).toContain(
    "folder cycle: packages/example/src/a → packages/example/src/b → packages/example/src/a (packages/example/src/b/two.ts)",
  );
});

test("a folder and the folder around it are two folders", () => {
  const violations = violationsOf({
    "packages/example/src/a/deep/one.ts": 'import "../one.ts";',
    "packages/example/src/a/one.ts": "",
    "packages/example/src/a/two.ts": 'import "./deep/one.ts";',
  });
  expect(violations).toContain(
    "folder cycle: packages/example/src/a → packages/example/src/a/deep → packages/example/src/a (packages/example/src/a/two.ts)",
  );
});

test("tests and the entry of a package close no cycle between folders", () => {
  const violations = violationsOf({
    "packages/store/src/index.ts": 'import "./a/one.ts"; import "./two.ts";',
    "packages/store/src/two.ts": "",
    "packages/store/src/a/one.ts": 'import "../two.ts";',
    "packages/store/src/two.test.ts": 'import "./a/one.ts";',
  });
  expect(violations).toEqual([]);
});

test.each([
  ["Date.now()", "Date.now"],
  ["Date['now']()", "Date.now"],
  ["[1].map(Date.now)", "Date.now"],
  ["globalThis.Date.now()", "Date.now"],
  ["new Date()", "new Date()"],
  ["Date()", "Date()"],
  ["Math.random()", "Math.random"],
  ["crypto.randomUUID()", "crypto.randomUUID"],
  ["globalThis.process", "globalThis.process"],
])("the engine may not say %s", (expression, what) => {
  const violations = violationsOf({ "packages/timeline/src/index.ts": `\nexport const a = ${expression};` });
  expect(violations).toEqual([
    `packages/timeline/src/index.ts:2: ${what}: the engine must get its time and ids from the caller`,
  ]);
});

test("dates made from numbers, and clocks in tests and in other packages, are fine", () => {
  const violations = violationsOf({
    "packages/timeline/src/index.ts": "export const at = (ms: number) => new Date(ms).toISOString(); // not Date.now()",
    "packages/timeline/src/index.test.ts": "Date.now();",
    "packages/store/src/index.ts": "export const now = Date.now();",
  });
  expect(violations).toEqual([]);
});

test.each([
  ["an import", 'import pg from "pg"; new pg.Pool();'],
  ["a re-export", 'export { Pool } from "pg";'],
  ["a dynamic import", 'export const pool = async () => new (await import("pg")).Pool();'],
])("only the file that gives connections their listener may load pg by %s", (_, text) => {
  const maker = "packages/store/src/postgres/connections.ts";
  for (const path of ["packages/store/src/index.ts", "packages/store/src/a.test.ts", "bench/a.ts"])
    expect(violationsOf({ [maker]: text, [path]: text })).toEqual([
      expect.stringMatching(`^${path}: loads "pg": a connection without an error listener`),
    ]);
});

test("any file may import the types of pg", () => {
  const text = 'import type pg from "pg"; import { type Pool } from "pg"; export type C = import("pg").Client;';
  expect(violationsOf({ "bench/a.ts": `${text} export type { Client } from "pg";` })).toEqual([]);
});

test("a file that cannot be parsed stops the check by name", () => {
  expect(() => violationsOf({ "packages/timeline/src/index.ts": "export const = 1;" })).toThrow(
    /packages\/timeline\/src\/index\.ts cannot be parsed/,
  );
});
