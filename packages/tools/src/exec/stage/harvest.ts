/**
 * Collects the files of a program after it has ended: the bytes of each file of the contract, or why there are none,
 * and the names of other files, which are not kept.
 *
 * A file that existed before counts only if the program has written it, as its change time (ctime) shows, which no
 * program can set. The sum of the files' lengths is limited: a sparse file takes little disk space, but takes its whole
 * length in memory and in the store.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxLimits } from "../process/limits.ts";
import type { ContractFile } from "./contract.ts";
import { openLeft } from "./safe-read.ts";
import type { Stage } from "./stage.ts";

export type HarvestedFile =
  | { readonly ok: true; readonly file: Extract<ContractFile, { ok: true }>; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly path: string; readonly reason: string };

/** Change times of the turn's files before the program ran, by physical path. */
export type FilesBefore = ReadonlyMap<string, bigint>;

/** Maximum number of files outside the contract whose names are returned. */
const MAX_LISTED = 1_000;

export async function filesOnStage(stage: Stage): Promise<FilesBefore> {
  const found = new Map<string, bigint>();
  for await (const path of filesBelow(stage, `${stage.turnId}/files`)) {
    const { ctimeNs } = await stat(stage.path("out", path), { bigint: true });
    found.set(path, ctimeNs);
  }
  return found;
}

export async function harvest(
  stage: Stage,
  contract: readonly ContractFile[],
  before: FilesBefore,
  limits: SandboxLimits,
): Promise<readonly HarvestedFile[]> {
  const harvested: HarvestedFile[] = [];
  let room = limits.diskBytes;
  for (const file of contract) {
    const taken: HarvestedFile = file.ok
      ? await takeFile(stage, file, before, { ...limits, diskBytes: room })
      : { ok: false, path: file.given, reason: file.reason };
    if (taken.ok) room -= taken.bytes.length;
    harvested.push(taken);
  }
  return harvested;
}

async function takeFile(
  stage: Stage,
  file: Extract<ContractFile, { ok: true }>,
  before: FilesBefore,
  { fileBytes, diskBytes }: SandboxLimits,
): Promise<HarvestedFile> {
  const path = file.physical;
  const left = await openLeft(stage.path("out", path));
  if (!left.ok) return { ok: false, path, reason: left.reason };
  try {
    const { size, ctimeNs } = left.stat;
    if (before.get(path) === ctimeNs)
      return { ok: false, path, reason: "file not produced: the program did not change it" };
    if (size === 0n) return { ok: false, path, reason: "file is empty" };
    if (size > BigInt(fileBytes)) return { ok: false, path, reason: `file has more than ${fileBytes} bytes` };
    if (size > BigInt(diskBytes)) return { ok: false, path, reason: "all files together are too large to be kept" };
    return { ok: true, file, bytes: await left.handle.readFile() };
  } finally {
    await left.handle.close();
  }
}

/** Files that the program created or changed but the contract does not name. */
export async function filesBesides(
  stage: Stage,
  contract: readonly ContractFile[],
  before: FilesBefore,
): Promise<readonly string[]> {
  const named = new Set(contract.flatMap((file) => (file.ok ? [file.physical] : [])));
  const besides: string[] = [];
  for await (const path of filesBelow(stage, `${stage.turnId}/files`)) {
    if (besides.length >= MAX_LISTED) break;
    if (named.has(path)) continue;
    const left = await openLeft(stage.path("out", path));
    if (!left.ok) continue;
    await left.handle.close();
    if (before.get(path) !== left.stat.ctimeNs) besides.push(path);
  }
  return besides.sort();
}

/** The files below a folder. A folder that cannot be read contains nothing that could be kept. */
async function* filesBelow(stage: Stage, folder: string): AsyncGenerator<string> {
  const entries = await readdir(stage.path("out", folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(stage, path);
    else if (entry.isFile()) yield path;
  }
}
