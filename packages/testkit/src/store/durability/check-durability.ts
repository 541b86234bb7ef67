/**
 * Checks a trace of a process that stores things in `folder` and acknowledges each on a pipe with a line `ack …`. Data
 * that was not synced before the acknowledgement may be lost when the power fails. Therefore:
 *
 * - the write-ahead log has been synced since the last acknowledgement, and holds nothing unsynced;
 * - a file that is renamed or linked into place has been synced since its last write;
 * - the folder that now contains the file, and the parent of every folder made, is synced before the acknowledgement.
 */
import { dirname, resolve } from "node:path";
import { quoted, type SystemCall } from "./system-calls.ts";

const SYNCS = new Set(["fsync", "fdatasync"]);
const WRITES = new Set(["write", "pwrite64", "writev", "pwritev", "pwritev2", "copy_file_range", "sendfile"]);
const MOVES = new Set(["rename", "renameat", "renameat2", "link", "linkat"]);
const MKDIRS = new Set(["mkdir", "mkdirat"]);

export interface DurabilityFindings {
  readonly acknowledged: number;
  readonly moves: number;
  readonly defects: readonly string[];
}

/** `walSuffix` is the suffix of the journal's log file. */
export function checkDurability(calls: readonly SystemCall[], folder: string, walSuffix = "-wal"): DurabilityFindings {
  const done = calls.filter((call) => call.ok);
  const defects: string[] = [];
  let moves = 0;
  let since = -1;
  const acks = done.filter((call) => WRITES.has(call.name) && /"ack /.test(call.args));
  const inFolder = (path: string | null) => path !== null && (path === folder || path.startsWith(`${folder}/`));
  const synced = (file: string, after: number, before: number) =>
    done.some((call) => SYNCS.has(call.name) && call.file === file && call.start > after && call.end < before);
  const lastWrite = (file: string, before: number) =>
    done.findLast((call) => WRITES.has(call.name) && call.file === file && call.start < before);

  for (const ack of acks) {
    const label = quoted(ack)[0] ?? "ack";
    const between = done.filter((call) => call.start > since && call.start < ack.start);
    const logs = new Set(
      between
        .filter((call) => call.file !== null && inFolder(call.file) && call.file.endsWith(walSuffix))
        .map((call) => call.file ?? ""),
    );
    if (logs.size === 0) defects.push(`${label}: the journal's log was neither written nor synced`);
    for (const log of logs) {
      const write = lastWrite(log, ack.start);
      if (!synced(log, write?.end ?? since, ack.start)) defects.push(`${label}: ${log} was not synced`);
    }
    for (const call of between) {
      const paths = quoted(call).map((path) => resolve(path));
      const target = paths.at(-1);
      if (target === undefined || !inFolder(target)) continue;
      if (MOVES.has(call.name)) {
        moves++;
        const source = paths[0] ?? "";
        const write = lastWrite(source, call.start);
        if (!synced(source, write?.end ?? -1, call.start)) defects.push(`${label}: ${source} moved before its sync`);
        if (!synced(dirname(target), call.end, ack.start))
          defects.push(`${label}: the folder of ${target} was not synced after the move`);
      }
      if (MKDIRS.has(call.name) && !synced(dirname(target), call.end, ack.start))
        defects.push(`${label}: the folder ${target} was made and its parent not synced`);
    }
    since = ack.end;
  }
  return { acknowledged: acks.length, moves, defects };
}
