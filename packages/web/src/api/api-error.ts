import { isPassingStatus, problemSchema } from "@cairn/api";

/** A failed request: the server's error, or `unreachable`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** Milliseconds that the server asks to wait before a retry. */
  readonly retryAfterMs: number | null;

  constructor(code: string, message: string, status: number, retryAfterMs: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed later without any change. */
  get isPassing(): boolean {
    return this.status === 0 || isPassingStatus(this.status);
  }
}

export function unreachable(): ApiError {
  return new ApiError("unreachable", "The server cannot be reached.", 0);
}

/** The error in a response, in the server's words if it sent any. */
export function errorOf(status: number, body: string, retryAfter: string | null): ApiError {
  const seconds = Number(retryAfter ?? "");
  const wait = retryAfter !== null && Number.isFinite(seconds) ? seconds * 1000 : null;
  const said = readError(body);
  if (said !== null) return new ApiError(said.code, said.message, status, wait);
  const message = status === 413 ? "The request is larger than the server accepts." : `The server answered ${status}.`;
  return new ApiError(status === 413 ? "too_large" : `http_${status}`, message, status, wait);
}

function readError(body: string) {
  try {
    return problemSchema.safeParse(JSON.parse(body)).data?.error ?? null;
  } catch {
    return null; // The response does not come from Cairn's server, but from a proxy, or the connection was interrupted.
  }
}
