/** The variables that middleware passes to endpoints. */
import type { ConversationKey, Scope } from "@cairn/store";
import type { HttpBindings } from "@hono/node-server";
import type { Caller } from "../auth/caller.ts";
import type { Intake } from "./read-body.ts";
import type { CutOff } from "./stream-body.ts";

export interface ServerEnvironment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** The scope of the caller. */
    scope: Scope;
    requestId: string;
    /** The rules for reading the request's body. */
    intake: Intake;
    /**
     * Waits for memory for an answer that is made from a whole conversation, and holds it until the answer was read, or
     * until the returned function is called. `copies`: how often the content is in memory at once. Throws `not_found`,
     * `over_share`, and the signal's reason.
     */
    takeRoom: (key: ConversationKey, copies: number) => Promise<() => void>;
    /** The authenticated caller. Absent before authentication. */
    caller?: Caller;
    /** Whether the caller still has access, for responses that last long. */
    isAllowed: () => Promise<boolean>;
    /** Ends a response whose body cannot be completed. */
    cutOff: CutOff;
    /** The endpoint's path pattern, for metrics. This and the following fields are absent outside of endpoints. */
    route?: string;
    conversation?: string;
    /** The turn that the request concerns or begins. */
    turn?: string;
    /** The calls that the request approves (true) or refuses (false), by id. */
    consent?: Readonly<Record<string, boolean>>;
    /** The conversation that the request created. */
    created?: string;
  };
}
