/** The user and the turn for which the application's own code runs: its tools, announcements and budgets. */
import type { ConversationKey, Scope } from "@cairn/store";
import type { JsonObject, TurnChoice } from "@cairn/timeline";
import { scopeOf } from "../share/held-shares.ts";

/** The scope, the conversation, the turn and the context for which a function of the application runs. */
export interface Caller<C = JsonObject> {
  /** Tenant, project and user of the conversation. They come from the application and never from the model. */
  readonly scope: Scope;
  readonly conversation: string;
  /** The id of the turn. */
  readonly turn: string;
  /**
   * The context that the application sent with the message of the turn; empty if it sent none. The journal stores the
   * context, so it must contain no secrets. The model sees only what `announce` makes of it.
   */
  readonly context: C;
}

export function callerOf(key: ConversationKey, turn: string, { context = {} }: TurnChoice): Caller {
  return { scope: scopeOf(key), conversation: key.conversation, turn, context };
}
