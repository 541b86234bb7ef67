/**
 * `npm run bench:hello`: the hello agent (one tool, three streamed turns) with Cairn and with four other libraries, each
 * as its documentation writes it, with the same model on a local socket. The other libraries are installed into
 * `dist/hello`. The command fails if a bar does not hold.
 *
 * `--json` prints `{results, missing, bars}`. `--runs 9` starts each program more often than five times.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bar } from "./bars.ts";
import { AI_SDK, CAIRN } from "./hello/contenders.ts";
import { installAll } from "./hello/install.ts";
import { type HelloResult, measureHello } from "./hello/measure-hello.ts";
import { grid, number, printBars } from "./table.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean" }, runs: { type: "string", default: "5" } },
});

const { installed, missing } = installAll();

const dir = mkdtempSync(join(tmpdir(), "cairn-bench-hello-"));
try {
  const results = await measureHello(installed, dir, Number(values.runs));
  const bars = barsOf(results);
  if (values.json) console.log(JSON.stringify({ results, missing, bars }));
  else print(results, bars);
  process.exitCode = bars.every(({ ok }) => ok) ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function print(results: readonly HelloResult[], bars: readonly Bar[]): void {
  console.log(`node ${process.version}, ${process.platform} ${process.arch}, median of ${values.runs} runs\n`);
  const rows = results.map(({ name, lines, concepts, coldStartMs, coldStartCpuMs, megabytes, left }) => [
    name,
    ...[lines, concepts, coldStartMs, coldStartCpuMs, megabytes].map((value) => number(Math.round(value))),
    `${left.found} of ${left.all}`,
  ]);
  console.log(
    grid([["", "lines", "concepts", "cold start, ms", "processor, ms", "memory, MB", "left after kill -9"], ...rows]),
  );
  for (const reason of missing) console.log(reason);
  console.log(`\n${printBars(bars)}`);
}

function barsOf(results: readonly HelloResult[]): Bar[] {
  const find = (name: string) => results.find((each) => each.name === name);
  const ours = find(CAIRN.name);
  if (ours === undefined) throw new Error("Cairn was not measured.");
  const aiSdk = find(AI_SDK.name);
  const shortest = Math.min(...results.filter((each) => each !== ours).map(({ lines }) => lines));
  const lost = ours.left.all - ours.left.found;
  const slower = aiSdk === undefined ? Number.NaN : ours.coldStartCpuMs / aiSdk.coldStartCpuMs;
  return [
    {
      name: "lines, with the shortest rival as the limit",
      value: ours.lines,
      limit: shortest,
      ok: ours.lines <= shortest,
    },
    { name: "processor time of the cold start / that of the AI SDK", value: slower, limit: 1.3, ok: slower <= 1.3 },
    { name: "lost after kill -9", value: lost, limit: 0, ok: lost === 0 },
  ];
}
