/**
 * Confines Deno on Linux by the kernel, in addition to its own permissions: no links, no other process, no socket, and
 * no file except those it is given, however a program tries to reach them. Deno itself drops these rights through the C
 * library, and is then started again with the program, so nothing else must be installed.
 */
import { ALONE, seccompFilter } from "../seccomp/seccomp.ts";
import { readRunner } from "../stage/program.ts";
import type { Stage } from "../stage/stage.ts";
import { COMMON_FLAGS } from "./arguments.ts";

export interface HeldFolders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Arguments before the confined program; empty if the system cannot confine Deno. */
export async function holding(deno: string, stage: Stage, folders: HeldFolders): Promise<readonly string[]> {
  const filter = process.platform === "linux" ? seccompFilter(ALONE) : null;
  if (filter === null) return [];
  const [script, plan, instructions] = ["run/hold.mjs", "run/hold.json", "run/filter"];
  await stage.write(script, await readRunner("hold.mjs"));
  await stage.write(instructions, filter);
  await stage.write(plan, JSON.stringify({ ...folders, filter: stage.path(instructions) }));
  return [deno, "run", ...COMMON_FLAGS, "--allow-all", stage.path(script), stage.path(plan)];
}
