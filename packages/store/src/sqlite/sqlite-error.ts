/** From what SQLite and the operating system report to the store's own codes. */
import { CairnError } from "@cairn/timeline";
import { type StoreErrorCode, storeError } from "../contract/errors.ts";
import { systemCode } from "../contract/system-code.ts";

// Primary result codes of SQLite; the lower eight bits of what it reports.
const PRIMARY: Readonly<Record<number, StoreErrorCode>> = {
  5: "busy", // SQLITE_BUSY
  6: "busy", // SQLITE_LOCKED
  8: "read_only", // SQLITE_READONLY
  10: "io", // SQLITE_IOERR
  11: "corrupt", // SQLITE_CORRUPT
  13: "full", // SQLITE_FULL
  14: "io", // SQLITE_CANTOPEN
  18: "too_large", // SQLITE_TOOBIG
  19: "corrupt", // SQLITE_CONSTRAINT: rows that were checked before collide only when the table is not as it was written
  26: "corrupt", // SQLITE_NOTADB
};

/** SQLITE_ERROR: what was asked makes no sense. Which of the two sides is wrong depends on what was being done. */
const GENERIC = 1;

/** Growing the shared-memory file failed: in practice, no space. */
const IOERR_SHMSIZE = 4874;

const SENTENCES: Partial<Record<StoreErrorCode, string>> = {
  busy: "Other processes kept the database locked. Nothing was saved; try again.",
  read_only: "The data folder cannot be written to. Check its permissions and whether its disk is mounted read-only.",
  io: "The operating system could not read or write the data folder.",
  corrupt: "The database file is damaged. Run verify, and restore from a backup what it names.",
  full: "The disk of the data folder is full. Nothing was saved; free some space and try again.",
  too_large: "A text is larger than the database can hold (1 GB).",
};

/** The typed form of an error; anything that is not the database's or the system's own comes back as it is. */
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

/**
 * Runs what SQLite answers from the schema, such as preparing a statement. The store's statements fit the schema it has
 * written, so one that does not fit means that the schema's text has changed on disk.
 */
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
