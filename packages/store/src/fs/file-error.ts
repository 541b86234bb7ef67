/** Maps errors of file operations to the store's codes. */
import { storeError } from "../contract/errors.ts";
import { systemCode } from "../contract/system-code.ts";

export function toFileError(error: unknown, what: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = systemCode(error);
  return code === null
    ? error
    : storeError(code, `${what} failed: ${error.message}`, { system: "code" in error ? error.code : undefined });
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
