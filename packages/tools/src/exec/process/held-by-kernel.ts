/**
 * Resources that the kernel holds for a program but counts for no process and no folder: removed files that are open or
 * mapped, and memory in queues, mappings and the sandbox's own `/dev/shm`. On other systems than Linux,
 * nothing is counted.
 *
 * A queue counts with its capacity, because most do not report their content. A TCP connection reports its content,
 * which can exceed the capacity by far. The kernel limits pipes for each user.
 *
 * Descriptors in flight are only detected, not counted: a socket inside another socket hides its content. A program may
 * pass descriptors between its processes, but not leave them in a socket.
 */
import { readlink, stat, statfs } from "node:fs/promises";
import { ifMissing } from "@cairn/agent";
import { type Descriptors, lookAtDescriptors } from "./descriptors.ts";
import { lookAtMappings } from "./mappings.ts";
import { processTree, readOrEmpty, sum } from "./process-tree.ts";

export interface HeldByKernel {
  /** Bytes of deleted or unnamed files that processes keep open. */
  readonly diskBytes: number;
  /** Infinity if there are too many mappings to check. */
  readonly memoryBytes: number;
  /** Files and folders in the sandbox's own `/dev/shm`. */
  readonly entries: number;
  /** Whether descriptors are waiting in a socket. */
  readonly isInFlight: boolean;
}

const NOTHING: HeldByKernel = { diskBytes: 0, memoryBytes: 0, entries: 0, isInFlight: false };
/** Approximate kernel memory of a mapping. */
const MAPPING_BYTES = 256;
/** Approximate kernel memory of a queued event, with the file's name. */
const EVENT_BYTES = 320;
const DEFAULT_EVENTS = 16_384;
const DEFAULT_SOCKET_BYTES = 212_992;

/** `fileBytes`: assumed size of a removed, mapped file that this user cannot inspect. */
export async function heldByKernel(pid: number, fileBytes: number): Promise<HeldByKernel> {
  if (process.platform !== "linux") return NOTHING;
  const tree = await processTree(pid);
  const own = await ownPlaces(tree.at(-1) ?? pid);
  const removed = new Map<string, number>();
  const descriptors: Descriptors = { removed, sockets: new Set(), watchers: 0, isInFlight: false };
  let mappings = 0;
  // Processes are checked one after the other, because their lists of descriptors and mappings can take much memory.
  for (const each of tree) {
    await lookAtDescriptors(each, descriptors);
    mappings += await lookAtMappings(each, { removed, fileBytes, except: own.device });
  }
  return {
    diskBytes: sum(removed.values()),
    memoryBytes:
      mappings * MAPPING_BYTES +
      descriptors.sockets.size * (await numberIn("/proc/sys/net/core/wmem_max", DEFAULT_SOCKET_BYTES)) +
      descriptors.watchers * EVENT_BYTES * (await numberIn("/proc/sys/fs/inotify/max_queued_events", DEFAULT_EVENTS)) +
      (own.hasNetwork ? await bytesInConnections(tree.at(-1) ?? pid) : 0) +
      own.sharedBytes,
    entries: own.entries,
    isInFlight: descriptors.isInFlight,
  };
}

interface OwnPlaces {
  /** The device of the program's `/dev/shm`, as mappings name it. */
  readonly device: string | null;
  readonly sharedBytes: number;
  readonly entries: number;
  readonly hasNetwork: boolean;
}

/** A sandbox without namespaces sees the machine's own `/dev/shm`, which does not belong to the program. */
async function ownPlaces(pid: number): Promise<OwnPlaces> {
  const hasNetwork = (await isOwn(pid, "ns/net")) && (await isOwn(pid, "ns/mnt"));
  const none = { device: null, sharedBytes: 0, entries: 0, hasNetwork };
  if (!hasNetwork) return none;
  try {
    const folder = `/proc/${pid}/root/dev/shm`;
    const [{ dev }, { blocks, bfree, bsize, files, ffree }] = await Promise.all([stat(folder), statfs(folder)]);
    // While the program's root is being made, the program still sees the machine's own folders.
    const machine = await Promise.all(["/", "/dev/shm"].map(deviceOf));
    if (machine.includes(dev)) return none;
    return { device: deviceName(dev), sharedBytes: (blocks - bfree) * bsize, entries: files - ffree, hasNetwork };
  } catch {
    return none; // The program has ended, or its root is not complete yet.
  }
}

/** Device number of a folder; null if the folder does not exist. */
async function deviceOf(folder: string): Promise<number | null> {
  return (await stat(folder).catch(ifMissing(null)))?.dev ?? null;
}

async function isOwn(pid: number, namespace: string): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/${namespace}`)) !== (await readlink(`/proc/self/${namespace}`));
  } catch {
    return false; // The process has ended.
  }
}

/** Major and minor number, as the kernel encodes them for programs. */
function deviceName(device: number): string {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return `${major.toString(16).padStart(2, "0")}:${minor.toString(16).padStart(2, "0")}`;
}

async function bytesInConnections(pid: number): Promise<number> {
  const tables = await Promise.all(["tcp", "tcp6"].map((table) => readOrEmpty(`/proc/${pid}/net/${table}`)));
  const queues = tables.flatMap((table) => [...table.matchAll(/ ([0-9A-F]{8}):([0-9A-F]{8}) [0-9A-F]{2}:/g)]);
  return sum(
    queues.map(([, sent, received]) => Number.parseInt(sent ?? "0", 16) + Number.parseInt(received ?? "0", 16)),
  );
}

async function numberIn(path: string, otherwise: number): Promise<number> {
  return Number(await readOrEmpty(path)) || otherwise;
}
