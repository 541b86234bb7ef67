/** The caller of a turn, as the application's own code sees it: tools, announcements and budgets. */
import type { ConversationKey, Scope } from "@cairn/store";
import type { JsonObject, TurnChoice } from "@cairn/timeline";
import { scopeOf } from "../share/held-shares.ts";

/** The scope, the conversation, the turn and the context on whose behalf a function of the application runs. */
export interface Caller<C = JsonObject> {
  /** Tenant, project and user of the conversation. They come from the application and never from the model. */
  readonly scope: Scope;
  readonly conversation: string;
  /** The id of the turn. */
  readonly turn: string;
  /**
   * The context that the application sent with the message of the turn; empty if it sent none. It is in the journal, so
   * it must contain no secrets. The model sees none of it unless `announce` says it.
   */
  readonly context: C;
}

export function callerOf(key: ConversationKey, turn: string, { context = {} }: TurnChoice): Caller {
  return { scope: scopeOf(key), conversation: key.conversation, turn, context };
}
