/** Maps an error of the operating system to a code of the store; null for any other error. */
import type { StoreErrorCode } from "./errors.ts";

export function systemCode(error: Error): StoreErrorCode | null {
  if (!("code" in error) || !("syscall" in error)) return null;
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return "full";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "read_only";
    default:
      return "io";
  }
}
