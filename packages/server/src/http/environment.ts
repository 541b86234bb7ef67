/** What middleware hands to the endpoints. */

import type { Scope } from "@cairn/store";
import type { HttpBindings } from "@hono/node-server";
import type { Caller } from "../auth/caller.ts";

export interface ServerEnvironment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Whose conversations the caller may see. */
    scope: Scope;
    caller: Caller;
    requestId: string;
    /** The endpoint's path as it is written down, for counting. */
    route: string;
  };
}
