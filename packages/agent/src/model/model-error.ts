/**
 * What can go wrong with a model, sorted by what to do about it: wait and try again, send less, or give up.
 */
import { CairnError } from "@cairn/timeline";
import { withoutSecrets } from "./redact.ts";

export type ModelErrorKind =
  /** Overloaded, rate limited, network: the same request may succeed later. */
  | "transient"
  /** The request is larger than the model's window. */
  | "context_limit"
  /** Key, permission, malformed request: trying again does not help. */
  | "fatal";

export class ModelError extends CairnError {
  readonly kind: ModelErrorKind;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(kind: ModelErrorKind, message: string, retryAfterMs: number | null = null, details = {}) {
    // Some providers repeat the key they refuse, and the message ends up in the conversation.
    super(`model_${kind}`, withoutSecrets(message), details);
    this.name = "ModelError";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
