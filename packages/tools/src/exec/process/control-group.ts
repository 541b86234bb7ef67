/**
 * Control groups (version 2) of the kernel, if the operator has delegated a group to the server: the kernel then limits
 * the total memory of a program, including kernel memory, and its number of processes.
 *
 * A group cannot have both processes and groups with limits. So the server has to be in a group of its own inside the
 * delegated one; with systemd, `Delegate=memory pids` and `DelegateSubgroup=server` in the unit. Other groups are not
 * changed, because they were not delegated.
 */
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SandboxLimits } from "./limits.ts";

const CONTROLLERS = ["memory", "pids"];
/** The sandbox's own processes, in addition to those of the program. */
const EXTRA_PROCESSES = 4;

/** The folder of the delegated group, ready for groups with limits; null if there is none. */
export function delegatedGroup(mount = "/sys/fs/cgroup", membership = "/proc/self/cgroup"): string | null {
  if (process.platform !== "linux") return null;
  try {
    const own = /^0::(\/.*)$/m.exec(readFileSync(membership, "utf8"))?.[1] ?? "/";
    const folder = join(mount, dirname(own));
    // Only a group inside a service or a scope is used, because such a group was delegated.
    if (!/\.(service|scope)$/.test(basename(folder))) return null;
    const offered = readFileSync(join(folder, "cgroup.controllers"), "utf8").trim().split(" ");
    if (!CONTROLLERS.every((controller) => offered.includes(controller))) return null;
    accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    writeFileSync(join(folder, "cgroup.subtree_control"), CONTROLLERS.map((each) => `+${each}`).join(" "));
    return folder;
  } catch {
    return null; // The system does not support control groups of version 2, or the server has no permission.
  }
}

/** The limits as contents of the group's files. */
export function groupSettings({ memoryBytes, processes }: SandboxLimits): Readonly<Record<string, string>> {
  return {
    "memory.max": String(memoryBytes),
    "memory.oom.group": "1",
    "pids.max": String(processes + EXTRA_PROCESSES),
  };
}

export class ControlGroup implements AsyncDisposable {
  /** The name of the group as `/proc/<pid>/cgroup` lists it. */
  readonly name: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.name = basename(folder);
  }

  static async make(parent: string, settings: Readonly<Record<string, string>>): Promise<ControlGroup> {
    const group = new ControlGroup(join(parent, `cairn-exec-${crypto.randomUUID()}`));
    mkdirSync(group.#folder);
    try {
      for (const [file, value] of Object.entries(settings)) await writeFile(join(group.#folder, file), value);
    } catch (error) {
      await group[Symbol.asyncDispose]();
      throw error;
    }
    return group;
  }

  /** Adds a process. Synchronous, because the process waits for its group before it becomes the program. */
  add(pid: number): void {
    writeFileSync(join(this.#folder, "cgroup.procs"), String(pid));
  }

  /** Whether the kernel killed the program for its memory; a group without that controller has no such events. */
  async isOutOfMemory(): Promise<boolean> {
    const events = await readFile(join(this.#folder, "memory.events"), "utf8").catch(() => "");
    return /^oom(?:_group)?_kill [1-9]/m.test(events);
  }

  /** Ends the processes that are left in the group, and removes the group. */
  async [Symbol.asyncDispose](): Promise<void> {
    await writeFile(join(this.#folder, "cgroup.kill"), "1");
    for (let attempt = 1; ; attempt++) {
      try {
        return await rmdir(this.#folder);
      } catch (error) {
        // The group can only be removed when its processes have ended, which takes a moment.
        if (attempt === 100) throw error;
        await pause(10);
      }
    }
  }
}
