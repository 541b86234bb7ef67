/** Maps errors of PostgreSQL and of the network to the store's codes. */
import { CairnError, errorCode } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";

/** The transaction failed because of another transaction; it may succeed when retried from the start. */
export function isContention(error: unknown): boolean {
  return ["40001", "40P01", "55P03"].includes(errorCode(error));
}

const GONE = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);

/** Messages of the driver for a lost connection, which have no code. */
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/;

/** The server is unavailable, or has just ended this connection; it may be back in a moment. */
export function isUnreachable(error: unknown): boolean {
  const code = errorCode(error);
  // 57P01 to 57P03: shutting down or starting; 08…: connection; 53300: too many connections; 25P03: this program was
  // idle in a transaction for too long.
  if (GONE.has(code) || code.startsWith("08") || code.startsWith("57P0")) return true;
  if (code === "53300" || code === "25P03") return true;
  return error instanceof Error && BROKEN.test(error.message);
}

/** PostgreSQL cannot have run the last message: the transaction had ended, or the message was incomplete. */
export function isUnheard(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "25P03" || code === "EPIPE") return true;
  return error instanceof Error && error.message.startsWith("Client has encountered a connection error");
}

/** A column, table or function does not exist or has changed: another program has changed the schema. */
export function isUnknownName(error: unknown): boolean {
  return errorCode(error).startsWith("42") || errorCode(error) === "0A000";
}

function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    errorCode(error) === "23505" && error instanceof Error && "constraint" in error && error.constraint === constraint
  );
}

export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || CairnError.is(error)) return error;
  const code = errorCode(error);
  const details = code === "" ? {} : { postgres: code };
  if (isUniqueViolation(error, "conversations_name"))
    return storeError("conversation_exists", "The scope already has a conversation with this id.");
  if (isContention(error))
    return storeError(
      "busy",
      "Other processes kept the conversation locked for too long. Nothing was saved; try again.",
      details,
    );
  if (isUnreachable(error))
    return storeError("busy", `PostgreSQL cannot be reached: ${error.message}. Nothing was saved; try again.`, details);
  if (code === "53100" || code === "53200")
    return storeError(
      "full",
      "PostgreSQL has no disk space left. Nothing was saved; free some space and try again.",
      details,
    );
  if (code === "25006")
    return storeError(
      "read_only",
      "This PostgreSQL server accepts no writes; it may be a standby. Connect to the primary.",
      details,
    );
  if (code === "XX001" || code === "XX002")
    return storeError("corrupt", `PostgreSQL found damaged data: ${error.message}. Restore it from a backup.`, details);
  if (code === "22021")
    return storeError(
      "bad_argument",
      "A text contains a character that PostgreSQL cannot store, such as NUL. Remove it.",
      details,
    );
  if (code !== "") return storeError("io", `PostgreSQL rejected the statement: ${error.message}`, details);
  return error;
}
