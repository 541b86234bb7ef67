/** Runs a tool of the project under a heading, its output going straight to the terminal. */
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

export const projectRoot = join(import.meta.dirname, "..");

/** The project's tools, and its Node, before the machine's: also when a script was not started by npm. */
const path = [join(projectRoot, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);

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
