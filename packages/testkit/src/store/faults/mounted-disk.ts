/**
 * Small and read-only disks. Such disks need root on Linux, because permissions do not apply to root. On other systems
 * the reason is returned, and the test is skipped.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface MountedDisk {
  readonly folder: string;
  resize(size: string): void;
  unmount(): void;
}

/** Why this machine cannot mount a disk; null when it can. */
export function whyNoMounts(): string | null {
  if (process.platform !== "linux") return "mounting a disk for a test is only known for Linux";
  if (process.getuid?.() !== 0) return "only root may mount a disk";
  try {
    mountSmallDisk("1m").unmount();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A disk in memory of `size`, such as `4m`. */
export function mountSmallDisk(size: string): MountedDisk {
  const folder = mkdtempSync(join(tmpdir(), "cairn-disk-"));
  run("mount", "-t", "tmpfs", "-o", `size=${size}`, "cairn-test", folder);
  return {
    folder,
    resize: (to) => run("mount", "-o", `remount,size=${to}`, folder),
    unmount: () => {
      run("umount", "--lazy", folder);
      rmdirSync(folder);
    },
  };
}

/** Makes a folder read-only, for root too, until the returned function is called. No file in it may be open. */
export function makeReadOnly(folder: string): () => void {
  run("mount", "--bind", folder, folder);
  run("mount", "-o", "remount,ro,bind", folder);
  return () => run("umount", "--lazy", folder);
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
}
