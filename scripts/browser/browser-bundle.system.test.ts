import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashText } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluateWithBundle } from "./bare-context.ts";
import { type BrowserBundle, bundleForBrowser } from "./bundle.ts";

const projectRoot = join(import.meta.dirname, "../..");
const isTokenizer = (path: string) => path.endsWith("/o200k.json");

describe("the engine in a browser", () => {
  let bundle: BrowserBundle;

  beforeAll(async () => {
    bundle = await bundleForBrowser(projectRoot, "packages/timeline/src/index.ts");
  });

  test("it bundles without a Node built-in, and loads without the tokenizer", () => {
    expect(bundle.eagerInputs).toContain("packages/timeline/src/base/error.ts");
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

describe("the bundled engine, run by a browser", () => {
  test("it renders, cites, resolves, prunes, compacts and makes receipts there", async () => {
    const bundle = await bundleForBrowser(projectRoot, "packages/timeline/src/index.ts");
    const source = `
      import { finishMaintenance, hashText, loadTokenizer, makeReceipt, maintain, replaceCitations, Timeline } from "bundle";
      export default (async () => {
        const countTokens = await loadTokenizer();
        const timeline = Timeline.create({ clock: { now: () => 1_770_631_200_000 }, countTokens });
        for (let n = 1; n <= 12; n++) {
          const turn = "turn_" + n;
          timeline.openTurn(turn);
          timeline.contribute([
            { type: "user.prompt", turn_id: turn, path: "ar:" + turn + ".user.prompt", text: "Why? ".repeat(900) },
            { type: "user.attachment", turn_id: turn, path: "fi:" + turn + ".user.attachments/a.png", mime: "image/png", base64: "iVBORw0KGgoAAAANSUhEUgAAAAE=" },
            { type: "assistant.completion", turn_id: turn, path: "ar:" + turn + ".assistant.completion", text: "So [[S:1]]." },
          ]);
          timeline.closeTurn("complete");
        }
        timeline.mergeSources([{ source_type: "web", url: "https://Example.com/a/?utm_source=x", title: "A" }]);
        timeline.setMeta({ cache_last_touch_at: 0 });
        const maintenance = maintain(timeline, { prune: { now: 9_999 }, budget: { maxTokens: 9_000 } });
        const { resets } = finishMaintenance(timeline, maintenance);
        const view = timeline.render({ includeSources: true });
        const receipt = makeReceipt(view, { tools: [], system: "s", startedAt: 1, resets, tokens: { tools: 0, system: 1, stable: 1, tail: 1 } }, null);
        return {
          causes: resets.map((reset) => reset.cause),
          tail: view.tail.length,
          hash: hashText("é"),
          cited: replaceCitations(timeline.resolve("ar:turn_12.assistant.completion").text, timeline.state.pool.rows(), "markdown"),
        };
      })();`;
    expect(await evaluateWithBundle(bundle, source)).toEqual({
      causes: ["ttl_prune", "compaction"],
      tail: 1,
      hash: hashText("é"),
      cited: "So [A](https://Example.com/a/?utm_source=x).",
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
