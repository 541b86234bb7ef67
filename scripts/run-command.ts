/** Runs tools of the project: one alone, its output going straight to the terminal, or several at once. */
import { spawn, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { CHECKER_MODULES } from "@cairn/testkit/checkers";

export const projectRoot = join(import.meta.dirname, "..");

/** The tools and the Node of the project come before those of the machine, even if a script was not started by npm. */
const path = [join(projectRoot, "node_modules", ".bin"), join(CHECKER_MODULES, ".bin"), process.env.PATH ?? ""].join(
  delimiter,
);

export function printHeading(title: string): void {
  console.log(`\n━━ ${title} ${"━".repeat(Math.max(0, 100 - title.length))}`);
}

/** True when the command ended with exit code 0. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): boolean {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env, PATH: path },
    stdio: "inherit",
  });
  if (error !== undefined) console.error(`${command} could not be started: ${error.message}`);
  if (signal !== null) console.error(`${command} was ended by ${signal}`);
  return status === 0;
}

/** Like `runCommand`, but other work can be done while the command runs. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env, PATH: path },
    stdio: "inherit",
  });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(false);
    });
    child.once("close", (code, signal) => {
      if (signal !== null) console.error(`${command} was ended by ${signal}`);
      resolve(code === 0);
    });
  });
}

/** The output of the command on both streams, and whether it ended with exit code 0. */
export function commandOutput(
  command: string,
  args: readonly string[],
): Promise<{ readonly passed: boolean; readonly output: string }> {
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...colour, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => pieces.push(piece));
  return new Promise((resolve) => {
    const end = (passed: boolean, note: string) => resolve({ passed, output: Buffer.concat(pieces).toString() + note });
    child.once("error", (error) => end(false, `${command} could not be started: ${error.message}\n`));
    child.once("close", (code, signal) =>
      end(code === 0, signal === null ? "" : `${command} was ended by ${signal}\n`),
    );
  });
}
