/** Classifies errors of the MCP client and extracts their messages. */
import { CairnError } from "@cairn/timeline";
import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

/** `unseen`: the server never received the call. `broken`: it may have. */
export type Loss = "unseen" | "broken";

export function lossOf(error: unknown): Loss | null {
  // Servers that restart forget session ids; they answer 404 (or 400) and have done nothing.
  if (error instanceof SdkHttpError) return error.status === 404 || error.status === 400 ? "unseen" : null;
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return "unseen";
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return "broken";
  if (!(error instanceof Error)) return null;
  const code = error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : "";
  if (code === "ECONNREFUSED" || code === "ENOTFOUND") return "unseen";
  if (error instanceof TypeError && /fetch failed|terminated/.test(error.message)) return "broken";
  return error instanceof SdkError && error.cause instanceof Error ? lossOf(error.cause) : null;
}

/** Whether the server demands a login, and for which scope; null for any other error. */
export function loginDemand(error: unknown): { readonly scope?: string } | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof InsufficientScopeError)
      return each.requiredScope === undefined ? {} : { scope: each.requiredScope };
    if (each instanceof UnauthorizedError) return {};
    if (each instanceof SdkHttpError && each.code === SdkErrorCode.ClientHttpAuthentication) return {};
    if (CairnError.is(each) && each.code === "mcp_login_required") return {};
  }
  return null;
}

/** The message with those of its causes, on one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  let message = error.message;
  for (let { cause } = error; cause instanceof Error; { cause } = cause)
    if (!message.includes(cause.message)) message += ` (${cause.message})`;
  return message.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, 500);
}
