/** Maps errors of SQLite and of the operating system to the store's codes. */
import { CairnError } from "@cairn/timeline";
import { type StoreErrorCode, storeError } from "../contract/errors.ts";
import { systemCode } from "../contract/system-code.ts";

// Primary result codes of SQLite: the lower eight bits of the reported code.
const PRIMARY: Readonly<Record<number, StoreErrorCode>> = {
  5: "busy", // SQLITE_BUSY
  6: "busy", // SQLITE_LOCKED
  8: "read_only", // SQLITE_READONLY
  10: "io", // SQLITE_IOERR
  11: "corrupt", // SQLITE_CORRUPT
  13: "full", // SQLITE_FULL
  14: "io", // SQLITE_CANTOPEN
  18: "too_large", // SQLITE_TOOBIG
  19: "corrupt", // SQLITE_CONSTRAINT: checked rows collide only when the table is damaged
  26: "corrupt", // SQLITE_NOTADB
};

/** SQLITE_ERROR: the statement is invalid, by a fault of the program or of the database. */
const GENERIC = 1;

/** The shared-memory file could not grow: in practice, the disk is full. */
const IOERR_SHMSIZE = 4874;

const SENTENCES: Partial<Record<StoreErrorCode, string>> = {
  busy: "Other processes kept the database locked. Nothing was saved; try again.",
  read_only: "The data folder cannot be written to. Check its permissions and whether its disk is mounted read-only.",
  io: "The operating system could not read or write the data folder.",
  corrupt:
    "The database file is damaged. Run cairn doctor to list the damage, and restore the damaged parts from a backup.",
  full: "The disk of the data folder is full. Nothing was saved; free some space and try again.",
  too_large: "A text is larger than the database can hold (1 GB).",
};

/** Converts an error of the database or the system to a typed one; other errors are returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (CairnError.is(error) || !(error instanceof Error)) return error;
  const code = sqliteCode(error) ?? systemCode(error);
  if (code === null) return error;
  return storeError(
    code,
    `${SENTENCES[code] ?? "The store failed for an unknown reason."} (${error.message})`,
    details(error),
  );
}

/** Runs work that depends only on the schema. An error means that the schema's text was damaged on disk. */
export function readingSchema<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !("errcode" in error) || error.errcode !== GENERIC) throw error;
    throw storeError("corrupt", `${SENTENCES.corrupt} (${error.message})`, details(error));
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && sqliteCode(error) === "busy";
}

function sqliteCode(error: Error): StoreErrorCode | null {
  if (!("errcode" in error) || typeof error.errcode !== "number") {
    return "code" in error && error.code === "ERR_INVALID_STATE" && /database is not open/.test(error.message)
      ? "closed"
      : null;
  }
  if (error.errcode === IOERR_SHMSIZE) return "full";
  return PRIMARY[error.errcode & 0xff] ?? "io";
}

function details(error: Error): Record<string, unknown> {
  return {
    ...("errcode" in error ? { errcode: error.errcode } : {}),
    ...("code" in error ? { system: error.code } : {}),
  };
}
