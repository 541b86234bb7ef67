/** With this marker, `CairnError.is` recognises errors of another copy of the package in the process. */
const marker = Symbol.for("cairn.error");

/**
 * Every failure that Cairn reports is a `CairnError`: a stable `code` for programs, a message that says what went wrong
 * and what to do, and the data that the failure concerns.
 */
export class CairnError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly [marker] = true;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "CairnError";
    this.code = code;
    this.details = details;
  }

  static is(value: unknown): value is CairnError {
    return value instanceof Error && marker in value;
  }
}

/** For `catch`: null instead of the error `not_found`. Throws every other error. */
export function nullIfNotFound(error: unknown): null {
  if (CairnError.is(error) && error.code === "not_found") return null;
  throw error;
}

/** The code of an error of the system, of a library or of Cairn; empty when the error has no code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
