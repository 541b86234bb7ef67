/** Resources of a process's open descriptors that no folder shows. */
import { readlink, stat } from "node:fs/promises";
import { namesIn, readOrEmpty } from "./process-tree.ts";

export interface Descriptors {
  /** Disk bytes of removed files, by device and inode, because processes may share a file. */
  readonly removed: Map<string, number>;
  readonly sockets: Set<string>;
  watchers: number;
  isInFlight: boolean;
}

export async function lookAtDescriptors(pid: number, found: Descriptors): Promise<void> {
  const names = await namesIn(`/proc/${pid}/fd`);
  await Promise.all(names.map((name) => lookAtDescriptor(pid, name, found)));
}

async function lookAtDescriptor(pid: number, name: string, found: Descriptors): Promise<void> {
  try {
    const place = await readlink(`/proc/${pid}/fd/${name}`);
    if (place === "anon_inode:inotify") found.watchers++;
    else if (place.startsWith("socket:")) {
      found.sockets.add(place);
      // The kernel counts what was sent and not received, even for connections that were never accepted.
      if (/^scm_fds:\s*[1-9]/m.test(await readOrEmpty(`/proc/${pid}/fdinfo/${name}`))) found.isInFlight = true;
    } else if (place.endsWith(" (deleted)")) {
      const file = await stat(`/proc/${pid}/fd/${name}`);
      if (file.isFile()) found.removed.set(`${file.dev}:${file.ino}`, file.blocks * 512);
    }
  } catch {
    // The process has closed the descriptor, or has ended.
  }
}
