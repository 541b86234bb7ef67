/**
 * Deno on Linux, held by the kernel besides its own permissions: no links, no other process, no socket, and no file but
 * those it is given, whatever way to them a program finds. Deno itself is what gives these rights up, by the C library,
 * before it is started once more with the program: nothing else has to be installed for that.
 */
import { ALONE, seccompFilter } from "../seccomp/seccomp.ts";
import { readRunner } from "../stage/program.ts";
import type { Stage } from "../stage/stage.ts";
import { COMMON_FLAGS } from "./arguments.ts";

export interface HeldFolders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** What stands before the program to be held and its arguments; nothing where the system has no such means. */
export async function holding(deno: string, stage: Stage, folders: HeldFolders): Promise<readonly string[]> {
  const filter = process.platform === "linux" ? seccompFilter(ALONE) : null;
  if (filter === null) return [];
  const [script, plan, instructions] = ["run/hold.mjs", "run/hold.json", "run/filter"];
  await stage.write(script, await readRunner("hold.mjs"));
  await stage.write(instructions, filter);
  await stage.write(plan, JSON.stringify({ ...folders, filter: stage.path(instructions) }));
  return [deno, "run", ...COMMON_FLAGS, "--allow-all", stage.path(script), stage.path(plan)];
}
