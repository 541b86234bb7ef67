/**
 * `npm run bench:install`: what an application installs to use Cairn with one provider, beside four other libraries:
 * the size on disk, the number of packages, and the time that the imports of the hello program take. Each library is
 * installed into a folder of its own in `dist/hello`. The last figure is the size of this repository after `npm
 * install`. The command fails if a bar does not hold.
 *
 * `--json` prints `{results, missing, bars}`. `--runs 9` imports each library nine times; the default is five.
 */
import { parseArgs } from "node:util";
import { CLONE_LIMIT, cloneSize } from "../scripts/packaging/installed-size.ts";
import type { Bar } from "./bars.ts";
import { CAIRN } from "./hello/contenders.ts";
import { installAll } from "./hello/install.ts";
import { type InstallResult, measureInstall } from "./hello/measure-install.ts";
import { grid, number, printBars } from "./table.ts";

const { values } = parseArgs({ options: { json: { type: "boolean" }, runs: { type: "string", default: "5" } } });

const { installed, missing } = installAll();

const results = measureInstall(installed, Number(values.runs));
const bars = barsOf(results);
if (values.json) console.log(JSON.stringify({ results, missing, bars }));
else {
  console.log(`node ${process.version}, ${process.platform} ${process.arch}, median of ${values.runs} runs\n`);
  const rows = results.map(({ name, megabytes, packages, importMs, importCpuMs }) => [
    name,
    ...[megabytes, packages, importMs, importCpuMs].map((value) => number(Math.round(value))),
  ]);
  console.log(grid([["", "on disk, MB", "packages", "import, ms", "processor, ms"], ...rows]));
  for (const reason of missing) console.log(reason);
  console.log(`\n${printBars(bars)}`);
}
process.exitCode = bars.every(({ ok }) => ok) ? 0 : 1;

function barsOf(results: readonly InstallResult[]): Bar[] {
  const ours = results.find(({ name }) => name === CAIRN.name);
  if (ours === undefined) throw new Error("Cairn was not measured.");
  const clone = cloneSize();
  const atMost = (name: string, value: number, limit: number) => ({ name, value, limit, ok: value <= limit });
  return [
    atMost("Cairn with one provider, MB", ours.megabytes, 45),
    atMost("Cairn with one provider, packages", ours.packages, 60),
    atMost("import of Cairn, ms", ours.importMs, 150),
    atMost("clone of this repository, installed, without .git, MB", clone.installed + clone.files, CLONE_LIMIT),
  ];
}
