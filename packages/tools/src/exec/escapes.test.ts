/** What programs try to do to the machine they run on, and what comes of it in each sandbox. */
import { escapeSuite } from "@cairn/testkit/sandbox";
import { tryBubblewrap, tryDeno } from "./tried-sandboxes.ts";

escapeSuite([await tryBubblewrap(), await tryDeno()]);
