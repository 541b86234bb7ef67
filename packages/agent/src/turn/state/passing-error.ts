/** Errors of the store, a disk or an outdated program. They leave the turn open, and the next process continues it. */
import type { StoreErrorCode } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

const PASSING: ReadonlySet<string> = new Set([
  "busy",
  "closed",
  "full",
  "io",
  "read_only",
  "newer_version",
] satisfies StoreErrorCode[]);

export function isPassing(error: unknown): boolean {
  return CairnError.is(error) && PASSING.has(error.code);
}
