import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluateWithBundle } from "./bare-context.ts";
import { type BrowserBundle, bundleForBrowser } from "./bundle.ts";

const projectRoot = join(import.meta.dirname, "../..");
const isTokenizer = (path: string) => path.includes("node_modules/gpt-tokenizer/");

describe("the engine in a browser", () => {
  let bundle: BrowserBundle;

  beforeAll(async () => {
    bundle = await bundleForBrowser(projectRoot, "packages/timeline/src/index.ts");
  });

  test("it bundles without a Node built-in, and loads without the tokenizer", () => {
    expect(bundle.eagerInputs).toContain("packages/timeline/src/error.ts");
    expect(bundle.eagerInputs.filter(isTokenizer)).toEqual([]);
  });

  test("it loads and works where there is no process, Buffer or require", () => {
    const source = `
      import { CairnError } from "bundle";
      const error = new CairnError("bad_path", "No such path.", { path: "fi:x" });
      export default {
        code: error.code,
        details: error.details,
        known: CairnError.is(error),
        globals: [typeof process, typeof Buffer, typeof require],
      };`;
    expect(evaluateWithBundle(bundle, source)).toEqual({
      code: "bad_path",
      details: { path: "fi:x" },
      known: true,
      globals: ["undefined", "undefined", "undefined"],
    });
  });
});

describe("the check itself", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-bundle-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function bundleOf(text: string): Promise<BrowserBundle> {
    writeFileSync(join(root, "heavy.ts"), "export const weight = 42;");
    writeFileSync(join(root, "index.ts"), text);
    return bundleForBrowser(root, "index.ts");
  }

  test("a Node built-in fails the bundle", async () => {
    await expect(bundleOf('import { readFileSync } from "node:fs"; console.log(readFileSync);')).rejects.toThrow(
      /node:fs/,
    );
  });

  test("a lazy import is not loaded with the entry, and works when it is called", async () => {
    const bundle = await bundleOf('export const weigh = async () => (await import("./heavy.ts")).weight;');
    expect(bundle.eagerInputs).toEqual(["index.ts"]);
    expect(bundle.inputs).toContain("heavy.ts");
    expect(evaluateWithBundle(bundle, 'import { weigh } from "bundle"; export default weigh();')).toBe(42);
  });

  test("a static import is loaded with the entry", async () => {
    const bundle = await bundleOf(
      'export { weight } from "./heavy.ts"; export const lazy = () => import("./heavy.ts");',
    );
    expect(bundle.eagerInputs).toContain("heavy.ts");
  });

  test("a global that only Node has fails when it is reached", async () => {
    const bundle = await bundleOf(
      'declare const Buffer: { from(text: string): unknown }; export const b = Buffer.from("a");',
    );
    expect(() => evaluateWithBundle(bundle, 'import "bundle";')).toThrow(/Buffer is not defined/);
  });
});
