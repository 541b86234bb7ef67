/** Maps errors of file operations to the store's codes. */
import { readdir } from "node:fs/promises";
import { errorCode } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import { systemCode } from "../contract/system-code.ts";

export function toFileError(error: unknown, what: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = systemCode(error);
  return code === null ? error : storeError(code, `${what} failed: ${error.message}`, { system: errorCode(error) });
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}

/** The names in a folder; none when it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, "Listing a folder");
  }
}
