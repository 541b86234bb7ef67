/**
 * `npm run house`: the structure of the project in numbers. The command prints packages, folders with their imports,
 * cycles, lines against the baseline, identical code, the way of one message, and the files that an addition takes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ADDITIONS } from "./house/additions/additions.ts";
import baseline from "./house/baseline.json" with { type: "json" };
import { countExports } from "./house/exported-names.ts";
import { PERFORMANCE } from "./house/features.ts";
import { identicalPairs } from "./house/identical-runs.ts";
import { MESSAGE_CONVERSIONS } from "./house/message-conversions.ts";
import { MAX_HOPS, MESSAGE_HOPS } from "./house/message-hops.ts";
import { countSource } from "./house/source-lines.ts";
import { folderCycles, folderImports } from "./layers/folder-imports.ts";
import { importGraph } from "./layers/layer-violations.ts";
import { sourcePaths, sourceRoots } from "./layers/source-tree.ts";

const MAX_PAIRS = 15;
const root = join(import.meta.dirname, "..");

const heading = (title: string) => console.log(`\n── ${title}`);

heading("packages");
const counts = countSource(root);
for (const [name, { files, lines }] of counts.packages)
  console.log(
    `${name.padEnd(10)} ${String(files).padStart(4)} files ${String(lines).padStart(6)} lines ${String(countExports(root, name)).padStart(4)} exports`,
  );

heading("folders and what they import");
const imports = folderImports(importGraph(root));
for (const from of [...new Set(imports.map((each) => each.from))].sort()) {
  const owner = /^packages\/[^/]+\/src/.exec(from)?.[0] ?? "";
  const to = imports.filter((each) => each.from === from).map((each) => each.to.slice(owner.length + 1) || "src");
  console.log(`${from.slice("packages/".length)} → ${to.sort().join(", ")}`);
}

heading("cycles between folders");
const cycles = folderCycles(imports);
console.log(cycles.length === 0 ? "none" : cycles.join("\n"));

heading("source lines without tests");
const row = (lines: number, what: string) => console.log(`${String(lines).padStart(6)} ${what}`);
row(counts.total, "in all packages");
row(counts.testSupport, "test support: cairn-agent/testing, which was in testkit");
for (const [name, lines] of counts.features) row(lines, name === PERFORMANCE ? name : `features since: ${name}`);
row(counts.restructured, `without those; at most ${baseline.lines}, as at ${baseline.commit}`);
row(
  counts.restructured + (counts.features.get(PERFORMANCE) ?? 0),
  "the same with the performance work; without a limit",
);

heading("identical code in two places");
const paths = sourceRoots.flatMap((folder) => sourcePaths(root, folder));
const pairs = identicalPairs(new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")])));
for (const { places, lines } of pairs) console.log(`${lines} lines: ${places.join(" and ")}`);
console.log(`${pairs.length} pairs; at most ${MAX_PAIRS}`);

heading("the way of one message");
for (const [index, { name, file, call }] of MESSAGE_HOPS.entries())
  console.log(`${String(index + 1).padStart(2)} ${name.padEnd(18)} ${file}${call === null ? " (no caller)" : ""}`);
const entered = new Set(MESSAGE_HOPS.map(({ file }) => file)).size;
console.log(`${MESSAGE_HOPS.length} hops through ${entered} files; at most ${MAX_HOPS} hops`);

heading("the conversions on the way of one message");
for (const { what, name, file, from } of MESSAGE_CONVERSIONS) console.log(`${what}: ${name} ${file} (from ${from})`);
const converting = new Set(MESSAGE_CONVERSIONS.map(({ file }) => file)).size;
console.log(`${MESSAGE_CONVERSIONS.length} conversions in ${converting} files, not counted as hops`);

heading("the files that an addition takes (proven by scripts/house/additions)");
for (const { what, newFiles, edits } of ADDITIONS) {
  const edited = new Set(edits.map(({ file }) => file));
  const lines = edits.reduce((sum, { add }) => sum + (add.match(/\n/g)?.length ?? 1), 0);
  console.log(`${what}: ${Object.keys(newFiles).length} new, ${edited.size} edited (${lines} lines)`);
  for (const path of Object.keys(newFiles)) console.log(`  new   ${path}`);
  for (const path of edited) console.log(`  edit  ${path}`);
}

const missed = [
  cycles.length > 0 ? "there are cycles between folders" : "",
  counts.restructured > baseline.lines ? "there is more source than at the baseline, features aside" : "",
  pairs.length > MAX_PAIRS ? "there is too much identical code" : "",
  MESSAGE_HOPS.length > MAX_HOPS ? "a message takes too many hops" : "",
].filter((goal) => goal !== "");
console.log(`\n${missed.length === 0 ? "Every goal is met." : `Not met: ${missed.join("; ")}.`}`);
process.exitCode = missed.length === 0 ? 0 : 1;
