/**
 * Where the tests of a run keep their files: a folder of the run's own, removed at its end. The folder is in memory if
 * the system has room for that, because many tests wait only for the disk: a store makes every commit durable.
 */
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free memory that must be available for a folder in memory. A whole run needs less. */
const ROOM_BYTES = 4 * 1024 ** 3;

export class ScratchFolder implements Disposable {
  readonly path: string;

  constructor() {
    const parent = hasRoomInMemory() ? MEMORY : tmpdir();
    removeAbandoned(parent);
    this.path = mkdtempSync(join(parent, `cairn-tests-${process.pid}-`));
  }

  [Symbol.dispose](): void {
    remove(this.path);
  }
}

/** Removes the folders of runs that were interrupted. The name of a folder contains the number of its process. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^cairn-tests-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(parent, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return Object(error).code !== "ESRCH";
  }
}

/** Removes a folder, and tries again: servers that were asked to end may write a last file meanwhile. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false; // The system is not Linux, or is a container without this file.
  }
}
