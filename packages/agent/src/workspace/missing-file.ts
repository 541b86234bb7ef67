/** Whether an error means that there is no such file; this includes a file in place of a parent folder. */
import { errorCode } from "@cairn/timeline";

export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}

/** For `catch` after a file operation: another value for a missing file. Other errors are thrown. */
export function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return otherwise;
    throw error;
  };
}
