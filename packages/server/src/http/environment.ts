/** What middleware hands to the endpoints. */

import type { Scope } from "@cairn/store";
import type { HttpBindings } from "@hono/node-server";
import type { Caller } from "../auth/caller.ts";
import type { Intake } from "./read-body.ts";

export interface ServerEnvironment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Whose conversations the caller may see. */
    scope: Scope;
    requestId: string;
    /** How the body is taken in. */
    intake: Intake;
    /** Absent until it is known who calls. */
    caller?: Caller;
    /** Whether the caller would still be let in: for what goes on for long. */
    isWelcome: () => Promise<boolean>;
    /** The endpoint's path as it is written down, for counting. Absent outside of endpoints, as what follows is. */
    route?: string;
    /** Which conversation it is about. */
    conversation?: string;
    /** Which turn it is about, or begins. */
    turn?: string;
    /** Which calls it agrees to or refuses. */
    consent?: Readonly<Record<string, boolean>>;
    /** Which conversation it has made. */
    created?: string;
  };
}
