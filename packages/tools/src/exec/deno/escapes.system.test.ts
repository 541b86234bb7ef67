/** What programs try to do to the machine they run on, and what comes of it in Deno. */
import { escapeSuite, tryDeno } from "@cairn/testkit/sandbox";

escapeSuite(await tryDeno());
