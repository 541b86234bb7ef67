/**
 * The time a sandbox adds to a program: a program that writes a file of one word, from the creation of its stage to its
 * removal, in each sandbox and language, compared with the same program without a sandbox.
 *
 * The figure "cold" is the first program of a process, which tries the sandbox out before it runs anything; the
 * interpreter that Deno's Python caches between processes exists already, and the time to make it is a separate figure.
 * "Warm" is the median of the programs after it.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  bubblewrapSandbox,
  DEFAULT_LIMITS,
  denoSandbox,
  type Language,
  type Sandbox,
  Stage,
  stageProgram,
} from "@cairn/tools/exec";
import { spreadOf } from "../measure.ts";
import type { ToolMeasurement } from "./tool-measurement.ts";

const PROGRAMS: Readonly<Record<Language, string>> = {
  python: 'open(OUTPUT_DIR + "/turn_1/files/made.txt", "w").write("made")',
  js: 'require("node:fs").writeFileSync(OUTPUT_DIR + "/turn_1/files/made.txt", "made");',
};
const WITHOUT: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  python: [
    existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3",
    "-I",
    "-c",
    'open("/dev/null", "w").write("made")',
  ],
  js: [process.execPath, "-e", 'require("node:fs").writeFileSync("/dev/null", "made")'],
};
const run = promisify(execFile);

/** Measures only sandboxes that work on this machine. Removes everything that it has written in `dir`. */
export async function measureExec(dir: string, runs = 20): Promise<ToolMeasurement[]> {
  const results: ToolMeasurement[] = [];
  const cacheDir = mkdtempSync(join(dir, "interpreter-"));
  try {
    for (const language of ["python", "js"] as const) {
      const [command, ...args] = WITHOUT[language];
      results.push(...(await measureWarm(`${language} without a sandbox`, runs, () => run(command, args))));
      if (language === "python") results.push(...(await measureMaking(cacheDir)));
      for (const open of [bubblewrapSandbox, () => denoSandbox({ cacheDir })])
        results.push(...(await measureSandbox(open(), language, runs)));
    }
    return results;
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

/** The cached interpreter of Deno's Python. */
async function measureMaking(cacheDir: string): Promise<ToolMeasurement[]> {
  const value = await timed(() => denoSandbox({ cacheDir }).check("python"));
  return [{ subject: "python in deno", name: "first ever, interpreter made", value, unit: "ms" }];
}

async function measureSandbox(sandbox: Sandbox, language: Language, runs: number): Promise<ToolMeasurement[]> {
  const subject = `${language} in ${sandbox.name}`;
  const program = () => runProgram(sandbox, language);
  const cold = await timed(async () => (await sandbox.check(language)).ok && program());
  if (!(await sandbox.check(language)).ok) return [];
  return [{ subject, name: "cold", value: cold, unit: "ms" }, ...(await measureWarm(subject, runs, program))];
}

async function measureWarm(subject: string, runs: number, program: () => Promise<unknown>): Promise<ToolMeasurement[]> {
  const samples: number[] = [];
  for (let nth = 0; nth < runs; nth++) samples.push(await timed(program));
  const { median, p99 } = spreadOf(samples);
  return [
    { subject, name: "warm, median", value: median, unit: "ms" },
    { subject, name: "warm, slowest", value: p99, unit: "ms" },
  ];
}

async function runProgram(sandbox: Sandbox, language: Language): Promise<void> {
  await using stage = await Stage.create("turn_1");
  await stageProgram(stage, { language, code: PROGRAMS[language], name: "bench" });
  const job = { language, stage, limits: DEFAULT_LIMITS };
  const { error } = await sandbox.run(job, { signal: new AbortController().signal });
  if (error !== null) throw new Error(`${sandbox.name}: ${error.message}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
