/**
 * `npm run bench:server`: what the server costs when the model costs nothing. Client and server are two processes on
 * one machine and share its cores. The command ends with exit code 1 when a limit is exceeded. `--only neighbours`
 * measures only how much a hostile tenant slows down another tenant. The other parts are `turns`, `followers` and
 * `soak`; separate several with commas. `--json` prints `{results, bars}` and nothing else, with exit code 0.
 * `--turns`, `--conversations`, `--followers` and `--soak` (seconds, after `--warm` turns) change the amount that is
 * measured; `--neighbours` is the number of turns in each phase and `--rounds` the number of phases with and without
 * the hostile tenant.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bar } from "./bars.ts";
import { measureFollowers } from "./server/follower-cost.ts";
import { MeasuredServer } from "./server/measured-server.ts";
import { measureNeighbours } from "./server/neighbours.ts";
import type { ServerResult } from "./server/server-result.ts";
import { measureSoak } from "./server/soak.ts";
import { measureTurns } from "./server/turn-cost.ts";
import { grid, number, printBars } from "./table.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    turns: { type: "string", default: "100" },
    conversations: { type: "string", default: "16" },
    followers: { type: "string", default: "2000" },
    neighbours: { type: "string", default: "25" },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
    soak: { type: "string", default: "60" },
    warm: { type: "string", default: "600" },
  },
});
const count = (name: "turns" | "conversations" | "followers" | "neighbours" | "rounds" | "soak" | "warm") => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1.`);
  return value;
};

const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-server-"));
try {
  const parts: Readonly<Record<string, () => Promise<readonly ServerResult[]>>> = {
    turns: turnResults,
    followers: () => measureFollowers(join(dir, "followers"), dir, count("followers")),
    neighbours: () => measureNeighbours(join(dir, "neighbours"), count("neighbours"), count("rounds"), tell),
    soak: () => measureSoak(join(dir, "soak"), count("soak"), count("warm")),
  };
  const results: ServerResult[] = [];
  for (const name of values.only?.split(",") ?? Object.keys(parts)) {
    const measure = parts[name];
    if (measure === undefined) throw new Error(`--only takes ${Object.keys(parts).join(", ")}, not "${name}".`);
    results.push(...(await measure()));
  }
  const bars = checkServerBars(results);
  if (values.json) console.log(JSON.stringify({ results, bars }));
  else {
    const rows = results.map(({ name, value, unit }) => [name, number(value), unit]);
    console.log(`node ${process.version}, ${availableParallelism()} cores shared by client and server.\n`);
    console.log(`${grid([["", "value", "unit"], ...rows])}\n\n${printBars(bars)}`);
    if (bars.some((bar) => !bar.ok)) process.exitCode = 1;
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

/** Progress goes to the standard error output, because the results may be JSON. */
function tell(step: string): void {
  console.error(`${Math.round(performance.now() / 1_000)} s: ${step}`);
}

async function turnResults(): Promise<readonly ServerResult[]> {
  await using server = await MeasuredServer.start("cairn", join(dir, "turns"));
  return await measureTurns(server, { turns: count("turns"), conversations: count("conversations") });
}

function checkServerBars(results: readonly ServerResult[]): readonly Bar[] {
  const limits = [
    { name: "soak: memory at 80 % / at 20 %", limit: 1.1 },
    { name: "turn, p95, beside / alone", limit: 2 },
    { name: "request, p95, beside / alone", limit: 2 },
    { name: "turn, p95, beside / alone, median of the rounds", limit: 2 },
    { name: "request, p95, beside / alone, median of the rounds", limit: 2 },
  ];
  return limits.flatMap(({ name, limit }) => {
    const value = results.find((each) => each.name === name)?.value;
    return value === undefined ? [] : [{ name, value, limit, ok: value <= limit }];
  });
}
