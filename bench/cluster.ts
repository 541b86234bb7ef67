/**
 * `npm run bench:cluster`: many processes over one PostgreSQL, started here, with blobs in a folder. Turns a second at 1, 2
 * and 4 workers with a provider that answers at once, how long an event takes to a follower at another server, and what a
 * turn adds to the database as a conversation grows, beside the LangGraph JS PostgreSQL checkpointer. Client, provider,
 * processes and database share this machine's cores. Ends with exit code 1 when a limit is passed.
 *
 * `--json` prints `{results, bars}` and nothing else. `--workers`, `--conversations`, `--turns`, `--alone` (turns of a
 * conversation on its own), `--lengths` (numbers of turns after which a turn is measured) and `--measured` (turns of a
 * measurement) measure more or less.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPostgres } from "@cairn/testkit/postgres";
import { startPostgres } from "@cairn/testkit/store";
import type { Bar } from "./bars.ts";
import { MeasuredCluster, type Spread } from "./cluster/measured-cluster.ts";
import { measureTurns, type TurnCost } from "./cluster/storage-cost.ts";
import { openCairn, type Subject } from "./cluster/stored-subjects.ts";
import { importRivals } from "./rivals.ts";
import { grid, number, printBars } from "./table.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    workers: { type: "string", default: "1,2,4" },
    conversations: { type: "string", default: "16" },
    turns: { type: "string", default: "10" },
    alone: { type: "string", default: "20" },
    lengths: { type: "string", default: "10,100,1000" },
    measured: { type: "string", default: "50" },
  },
});
const wholeNumber = (name: string, text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} takes whole numbers from 1.`);
  return value;
};
const count = (name: "conversations" | "turns" | "alone" | "measured") => wholeNumber(name, values[name]);
const list = (name: "workers" | "lengths") => values[name].split(",").map((text) => wholeNumber(name, text));
const lengths = list("lengths");

interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: "turns/s" | "ms" | "KB";
}

const GROWTH_LIMIT = 1.3;
/**
 * Turns measured with the checkpointer, which writes the whole conversation eight times in a turn: that takes minutes.
 */
const CHECKPOINTER_TURNS = 2;

const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-cluster-"));
installPostgres();
const postgres = await startPostgres();
try {
  const results: Result[] = [];
  for (const workers of list("workers")) results.push(...(await measureWorkers(workers)));
  const stored = await measureStored();
  results.push(...stored.results);
  if (values.json) console.log(JSON.stringify({ results, bars: stored.bars }));
  else {
    const rows = results.map((each) => [each.name, number(each.value), each.unit]);
    console.log(`node ${process.version}, ${availableParallelism()} cores shared by everything.\n`);
    console.log(`${grid([["", "value", "unit"], ...rows])}\n\n${printBars(stored.bars)}`);
    if (stored.bars.some((bar) => !bar.ok)) process.exitCode = 1;
  }
} finally {
  await postgres.close();
  rmSync(dir, { recursive: true, force: true });
}

async function measureWorkers(workers: number): Promise<Result[]> {
  await using cluster = await MeasuredCluster.start(workers, { dir, database: await postgres.createDatabase() });
  const at = `${workers} worker${workers === 1 ? "" : "s"}`;
  const alone = await cluster.alone(count("alone"));
  const load = await cluster.underLoad(count("conversations"), count("turns"));
  const spread = (name: string, { half, most }: Spread): Result[] => [
    { name: `${name}, p50`, value: half, unit: "ms" },
    { name: `${name}, p95`, value: most, unit: "ms" },
  ];
  return [
    { name: `${at}: one conversation`, value: alone.turnsPerSecond, unit: "turns/s" },
    ...spread(`${at}: event to another server, one conversation`, alone.eventMs),
    { name: `${at}: ${count("conversations")} conversations at once`, value: load.turnsPerSecond, unit: "turns/s" },
    ...spread(`${at}: event to another server, ${count("conversations")} at once`, load.eventMs),
    ...(["workers", "servers", "database"] as const).map(
      (where): Result => ({ name: `${at}: CPU of a turn, ${where}`, value: load.cpuMs[where], unit: "ms" }),
    ),
  ];
}

async function measureStored(): Promise<{ readonly results: Result[]; readonly bars: Bar[] }> {
  const databases = [await postgres.createDatabase(), await postgres.createDatabase()] as const;
  const cairn = await openCairn(databases[0], join(dir, "blobs"));
  const rivals = await importRivals<{ openCheckpointer(database: string): Promise<Subject> }>(
    "postgres-checkpointer.ts",
  );
  const checkpointer = await rivals?.openCheckpointer(databases[1]);
  const results: Result[] = [];
  const costs: TurnCost[] = [];
  try {
    for (const behind of lengths) {
      const own = await measureTurns(databases[0], cairn, { behind, measured: count("measured") });
      const measured = Math.min(count("measured"), behind >= 1_000 ? 1 : CHECKPOINTER_TURNS);
      const subjects: [name: string, cost: TurnCost][] = [["cairn", own]];
      if (checkpointer !== undefined) {
        const other = await measureTurns(databases[1], checkpointer, { behind, measured });
        subjects.push(["checkpointer", other]);
      }
      costs.push(own);
      for (const [who, { ms, storedBytes, rowBytes }] of subjects)
        results.push(
          { name: `${who}: a turn behind ${behind}, database grows by`, value: storedBytes / 1_000, unit: "KB" },
          { name: `${who}: a turn behind ${behind}, its rows`, value: rowBytes / 1_000, unit: "KB" },
          { name: `${who}: a turn behind ${behind}, time`, value: ms, unit: "ms" },
        );
    }
  } finally {
    await cairn.close();
    await checkpointer?.close();
  }
  return { results, bars: growthBars(costs) };
}

/** A turn after many turns must take no more bytes than a turn after few. */
function growthBars(costs: readonly TurnCost[]): Bar[] {
  const [first, last] = [costs[0], costs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bar = (what: string, value: number): Bar => ({
    name: `${what} of a turn behind ${lengths.at(-1)} turns / behind ${lengths[0]}`,
    value,
    limit: GROWTH_LIMIT,
    ok: value <= GROWTH_LIMIT,
  });
  return [
    bar("growth of the database", last.storedBytes / first.storedBytes),
    bar("rows", last.rowBytes / first.rowBytes),
  ];
}
