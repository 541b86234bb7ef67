/** Whether an error means that there is no such file. A file in place of a parent folder counts, too. */
import { errorCode } from "@cairn/timeline";

export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}

/** A handler for `catch` after a file operation: returns `value` if the file is missing, and rethrows other errors. */
export function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return otherwise;
    throw error;
  };
}
