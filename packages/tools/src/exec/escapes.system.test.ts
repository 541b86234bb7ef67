/** What programs try to do to the machine they run on, and what comes of it in each sandbox. */
import { escapeSuite, tryBubblewrap, tryDeno } from "@cairn/testkit/sandbox";

escapeSuite([await tryBubblewrap(), await tryDeno()]);
