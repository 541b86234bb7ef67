/** Examples run, and what the documents say about them is what they print. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = new URL("../", import.meta.url);

function run(example: string): string {
  return execFileSync(process.execPath, [fileURLToPath(new URL(example, root))], { encoding: "utf8" });
}

function read(file: string): string {
  return readFileSync(new URL(file, root), "utf8");
}

/** The fenced block behind the comment `<!-- marker -->`. */
function fenced(document: string, marker: string): string {
  const start = document.indexOf(`<!-- ${marker} -->`);
  if (start < 0) throw new Error(`the document has no block marked "${marker}"`);
  const [, block] = /```\w*\n([\s\S]*?)\n```/.exec(document.slice(start)) ?? [];
  if (block === undefined) throw new Error(`nothing fenced follows the mark "${marker}"`);
  return block;
}

it("the worked example prints what the newcomer's page shows", () => {
  const shown = fenced(read("docs/timeline.md"), "output of examples/first-timeline.ts");
  expect(run("examples/first-timeline.ts").trim()).toBe(shown.trim());
});

it("the example of what stays in view prints what its page shows", () => {
  const shown = fenced(read("docs/memory.md"), "output of examples/memory.ts");
  expect(run("examples/memory.ts").trim()).toBe(shown.trim());
});

it("the code in the README is the example that is compiled and run", () => {
  const document = read("README.md");
  expect(fenced(document, "examples/readme.ts")).toBe(read("examples/readme.ts").trimEnd());
  expect(run("examples/readme.ts").trim()).toBe(fenced(document, "output of examples/readme.ts").trim());
});

it.each(["first-timeline.ts", "memory.ts", "readme.ts"])("%s prints the same each time", (example) => {
  expect(run(`examples/${example}`)).toBe(run(`examples/${example}`));
});
