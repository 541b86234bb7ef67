/** What middleware hands to the endpoints. */

import type { Scope } from "@cairn/store";
import type { HttpBindings } from "@hono/node-server";

export interface ServerEnvironment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Whose conversations the caller may see. */
    scope: Scope;
    requestId: string;
    /** The endpoint's path as it is written down, for counting. */
    route: string;
  };
}
