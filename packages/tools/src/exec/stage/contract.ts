/**
 * The contract: the files that a program must produce. Each path is rewritten to `<current turn>/files/`, the only
 * writable place; an invalid path is an error of that file, not of the run.
 */
import { CairnError, rewritePath } from "@cairn/timeline";

export type ContractFile =
  | {
      readonly ok: true;
      /** The path as the model wrote it. */
      readonly given: string;
      readonly physical: string;
      readonly logical: string;
      readonly rewritten: boolean;
    }
  | { readonly ok: false; readonly given: string; readonly reason: string };

/** Reads the paths that a program promises to write, each once, in their order. */
export function readContract(paths: readonly string[], turnId: string): readonly ContractFile[] {
  const files = new Map<string, ContractFile>();
  for (const given of paths) {
    const file = readPath(given, turnId);
    const key = file.ok ? file.physical : given;
    if (!files.has(key)) files.set(key, file);
  }
  return [...files.values()];
}

function readPath(given: string, turnId: string): ContractFile {
  try {
    const { physical, logical, rewritten } = rewritePath(given, turnId);
    return { ok: true, given, physical, logical, rewritten };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return { ok: false, given, reason: error.message };
  }
}
