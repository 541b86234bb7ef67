/** Errors of a model, by what the caller should do: wait and retry, send less, or give up. */
import { CairnError } from "@cairn/timeline";
import { withoutSecrets } from "./redact.ts";

export type ModelErrorKind =
  /** Overloaded, rate limited or network error. The same request may succeed later. */
  | "transient"
  /** The request is larger than the model's window. */
  | "context_limit"
  /** Wrong key, missing permission or malformed request: a retry does not help. */
  | "fatal";

export class ModelError extends CairnError {
  readonly kind: ModelErrorKind;
  /** Milliseconds that the provider asks the client to wait; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(kind: ModelErrorKind, message: string, retryAfterMs: number | null = null, details = {}) {
    // Some providers repeat the rejected key in the error message, and the message is stored in the conversation.
    super(`model_${kind}`, withoutSecrets(message), details);
    this.name = "ModelError";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
