/**
 * Where the tests of a run keep their files: a folder of the run's own, removed at its end. It lies in memory where the
 * system has room for that, because many tests wait for nothing but the disk: a store makes every commit durable.
 */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** A whole run needs less than one. */
const ROOM_BYTES = 4 * 1024 ** 3;

export class ScratchFolder implements Disposable {
  readonly path: string;

  constructor() {
    this.path = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), "cairn-tests-"));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false; // Not Linux, or a container without it.
  }
}
