/** Measures the contenders one after the other in each round, so that all run under the same conditions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spreadOf } from "../measure.ts";
import type { Contender } from "./contenders.ts";
import { countSource, type SourceSize } from "./count-source.ts";
import { OUTPUT, QUESTIONS, startHelloModel } from "./hello-model.ts";
import { type Ran, runProgram } from "./run-program.ts";

export interface Installed {
  readonly contender: Contender;
  readonly folder: string;
}

export interface HelloResult extends SourceSize {
  readonly name: string;
  /** Median milliseconds from the start of the process to the first text of its first answer. */
  readonly coldStartMs: number;
  /** Median of the processor time that the process took until its first text. */
  readonly coldStartCpuMs: number;
  readonly megabytes: number;
  /** The part of the first two turns that is left after `kill -9` and a new start. */
  readonly left: { readonly found: number; readonly all: number };
}

/** `dir` is the folder for working directories. */
export async function measureHello(all: readonly Installed[], dir: string, runs: number): Promise<HelloResult[]> {
  await using model = await startHelloModel();
  const { baseUrl } = model;
  const start = ({ contender: { program }, folder }: Installed, name: string, questions: readonly (string | null)[]) =>
    runProgram({ folder, program, cwd: join(dir, program, name), baseUrl, questions });
  const times = all.map((): Ran[] => []);
  // The first round is not counted, because it fills the caches of the machine.
  for (let round = 0; round <= runs; round++)
    for (const [at, each] of all.entries()) {
      const ran = await start(each, `run-${round}`, QUESTIONS);
      if (ran.output !== OUTPUT) throw new Error(`${each.contender.name} printed ${JSON.stringify(ran.output)}`);
      if (round > 0) times[at]?.push(ran);
    }
  const results: HelloResult[] = [];
  for (const [at, each] of all.entries()) {
    const [first = "", second = "", third = ""] = QUESTIONS;
    await start(each, "killed", [first, second, null]);
    await start(each, "killed", [third]);
    const ran = times[at] ?? [];
    results.push({
      name: each.contender.name,
      ...countSource(readFileSync(join(each.folder, `${each.contender.program}.mjs`), "utf8")),
      coldStartMs: spreadOf(ran.map(({ firstTokenMs }) => firstTokenMs)).median,
      coldStartCpuMs: spreadOf(ran.map(({ firstTokenCpuMs }) => firstTokenCpuMs)).median,
      megabytes: spreadOf(ran.map(({ megabytes }) => megabytes)).median,
      left: model.left(),
    });
  }
  return results;
}
