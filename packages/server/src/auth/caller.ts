/** Who calls, as the server found out: what is theirs, and how it knows. */
import type { Scope } from "@cairn/store";

export interface Caller {
  readonly scope: Scope;
  /** `machine` is the person in front of it, on a server without tokens. */
  readonly via: "machine" | "token" | "oidc";
  /** Whom it is told of: the user of a token, the `sub` of a signed one. */
  readonly subject: string;
  /** Which of their tokens, by a name that opens nothing; null where it has none. */
  readonly credential: string | null;
  /** Whether they run the server, and may know what all who use it spend. */
  readonly isOperator: boolean;
  /** Whether they may see what is internal: what the model saw, the timeline as it is, and exports. */
  readonly mayInspect: boolean;
}
