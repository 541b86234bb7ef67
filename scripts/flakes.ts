/**
 * `npm run test:flakes -- [--times n] [--load k] [--slowest m] [files]`: runs test files repeatedly, in a random order
 * and beside k busy processes, and prints how often each failed and how long it took. A file is named by a part of its
 * path, as for vitest. Without files the whole suite runs; with `--slowest`, the m files that took longest in their
 * last run. If the command was stopped, the same command continues; `--times` may then be higher. When all rounds are
 * done, the next command starts again.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { installCheckers } from "@cairn/testkit/checkers";
import { installPostgres } from "@cairn/testkit/postgres";
import { readDurations, TESTS_FOLDER } from "./durations.ts";
import { BusyLoad } from "./flakes/busy-load.ts";
import { FlakeState, filesLeft, type Hunt } from "./flakes/flake-state.ts";
import { flakeTable } from "./flakes/flake-table.ts";
import { projectRoot } from "./run-command.ts";

const FAILURES = join(TESTS_FOLDER, "failures");
const VITEST = join(projectRoot, "node_modules", "vitest", "vitest.mjs");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "10" },
    load: { type: "string", default: "0" },
    slowest: { type: "string" },
  },
});
const times = count("times", values.times);
const load = values.load === "0" ? 0 : count("load", values.load);
installPostgres();
installCheckers();
const hunt: Hunt = { load, files: chooseFiles() };
const state = new FlakeState(TESTS_FOLDER);
let before = state.resume(hunt);
if (before !== null && filesLeft(hunt, before, times).length === 0) before = null;
if (before === null) {
  rmSync(FAILURES, { recursive: true, force: true });
  state.begin(hunt);
}
mkdirSync(FAILURES, { recursive: true });
console.log(`Runs ${hunt.files.length} files ${times} times each, beside ${load} processes that keep a core busy.`);
if (before !== null && before.length > 0) console.log(`Continuing after ${before.length} file runs.`);

const interrupt = new AbortController();
let vitest: ChildProcess | null = null;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    interrupt.abort();
    vitest?.kill("SIGTERM");
  });
let failedRounds = 0;
{
  using _load = new BusyLoad(load);
  for (let round = 1; round <= times && !interrupt.signal.aborted; round++) {
    const left = filesLeft(hunt, state.resume(hunt) ?? [], round);
    if (left.length === 0) continue;
    const passed = await runRound(round, left);
    if (interrupt.signal.aborted) break;
    if (!passed) failedRounds++;
    console.log(`round ${round} of ${times}: ${passed ? "passed" : "failed"}`);
  }
}
const runs = state.resume(hunt) ?? [];
console.log(`\n${flakeTable(runs)}`);
const failures = runs.filter(({ passed }) => !passed).length;
console.log(`\n${runs.length} file runs, ${failures} failed`);
if (failures + failedRounds > 0) console.log(`What they printed is in ${relative(projectRoot, FAILURES)}/`);
if (interrupt.signal.aborted) console.log("Stopped. The same command goes on from here.");
process.exitCode = failures + failedRounds > 0 || interrupt.signal.aborted ? 1 : 0;

/** Returns true when every test passed. The output of vitest is kept if a test failed. */
async function runRound(round: number, files: readonly string[]): Promise<boolean> {
  const output = join(FAILURES, `round-${round}.log`);
  const log = openSync(output, "a");
  const args = ["run", "--update=none", "--sequence.shuffle.files", `--sequence.seed=${Date.now()}`];
  const reporter = `--reporter=${join(projectRoot, "scripts", "flakes", "flake-reporter.ts")}`;
  const env = { ...process.env, CAIRN_FLAKES_ROUND: String(round) };
  const child = spawn(process.execPath, [VITEST, ...args, reporter, ...files], {
    cwd: projectRoot,
    env,
    stdio: ["ignore", log, log],
  });
  vitest = child;
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("exit", resolve);
  });
  closeSync(log);
  if (code === 0) rmSync(output);
  return code === 0;
}

function chooseFiles(): readonly string[] {
  const listed = spawnSync(process.execPath, [VITEST, "list", ...positionals, "--filesOnly", "--json"], {
    cwd: projectRoot,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (listed.status !== 0) throw new Error(`vitest could not list the test files: ${listed.stderr}`);
  const found: readonly { readonly file: string }[] = JSON.parse(listed.stdout);
  const files = [...new Set(found.map(({ file }) => relative(projectRoot, file)))].sort();
  if (values.slowest === undefined) return files;
  const durations = readDurations();
  const known = files.filter((file) => durations[file] !== undefined);
  if (known.length === 0)
    throw new Error("The durations of the test files are not known yet. Run npm test first, which records them.");
  known.sort((a, b) => (durations[b] ?? 0) - (durations[a] ?? 0));
  return known.slice(0, count("slowest", values.slowest));
}

function count(name: string, value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} takes a whole number from 1 to 9999.`);
  return Number(value);
}
