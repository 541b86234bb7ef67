/** What programs try to do to the machine they run on, and what comes of it in bubblewrap. */
import { escapeSuite, tryBubblewrap } from "@cairn/testkit/sandbox";

escapeSuite(await tryBubblewrap());
