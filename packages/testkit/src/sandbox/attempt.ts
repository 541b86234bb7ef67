/** Runs attacks, with a sandbox or without, and returns their outcome. */
import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { DEFAULT_LIMITS, type Sandbox, type SandboxRun, Stage } from "@cairn/tools/exec";
import { resultOf, stageAttacks } from "./attack-program.ts";
import type { Attack, ControlKind } from "./attacks/attack.ts";
import type { Canary } from "./attacks/canary.ts";
import { leftRunning } from "./left-running.ts";
import { runControl } from "./run-control.ts";

export interface Attempt {
  readonly escaped: boolean;
  /** A text that the report must contain. */
  readonly told: string;
  /** Harm that the canary noticed while this attack, and the others in the same program, ran. */
  readonly harm: readonly string[];
  readonly left: readonly number[];
}

/** Maximum duration of attacks that do not try to exceed the time limit. */
const MAX_MS = 240_000;
const PATIENCE_S = 60;

/** Runs attacks in a sandbox, or as controls: all in one program, so all must have the same language and limits. */
export async function attempt(
  attacks: readonly Attack[],
  canary: Canary,
  place: Sandbox | ControlKind,
): Promise<readonly Attempt[]> {
  await using stage = await Stage.create("turn_0");
  await stage.write("out/timeline.json", '{"version":1}');
  await stage.write("out/turn_input/files/input.txt", "input");
  await stageAttacks(stage, attacks, canary.facts, typeof place === "string" ? 0 : PATIENCE_S);
  const run = await runIn(place, attacks[0], stage, canary);
  const beats = attacks.some(({ evidence }) => evidence === "heartbeat") && (await isBeating(stage, place));
  const harm = await canary.harm();
  const left = typeof place === "string" ? [] : await settledLeft(stage);
  return attacks.map((attack, n): Attempt => {
    const log = resultOf(run.log, n, attacks);
    const escaped = attack.evidence === undefined ? log.includes("ESCAPED") : beats || harm.length > 0;
    return { escaped, told: `${run.error?.code ?? ""} ${run.error?.message ?? ""} ${log}`, harm, left };
  });
}

async function runIn(
  place: Sandbox | ControlKind,
  attack: Attack | undefined,
  stage: Stage,
  canary: Canary,
): Promise<SandboxRun> {
  if (typeof place === "string") return { error: null, log: await runControl(place, stage, canary.facts) };
  const limits = { ...DEFAULT_LIMITS, timeoutMs: MAX_MS, ...attack?.limits };
  const language = attack?.language ?? "python";
  return place.run({ language, stage, limits }, { signal: new AbortController().signal });
}

/**
 * Whether the heartbeat still grows. The heartbeat ends by itself after a while, so that no control leaves it running.
 * After a control the test waits longer, because on a busy machine the heartbeat may not start at once.
 */
async function isBeating(stage: Stage, place: Sandbox | ControlKind): Promise<boolean> {
  const size = () =>
    stat(stage.path(stage.filesFolder, "heartbeat")).then(
      (found) => found.size,
      () => 0,
    );
  // The kernel takes a moment to kill the last processes of a sandbox. A process that escaped writes heartbeats for
  // four seconds.
  if (typeof place !== "string") await pause(500);
  const before = await size();
  const looks = typeof place === "string" ? 25 : 1;
  for (let look = 0; look < looks; look++) {
    await pause(400);
    if ((await size()) > before) return true;
  }
  return false;
}

/** Waits until no process is left, because the kernel takes a moment to kill a process. */
async function settledLeft(stage: Stage): Promise<readonly number[]> {
  let left = await leftRunning(stage.root);
  for (let look = 0; left.length > 0 && look < 600; look++) {
    await pause(50);
    left = await leftRunning(stage.root);
  }
  return left;
}
