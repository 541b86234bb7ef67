/** Attacks of programs on their machine, and their outcome in bubblewrap. */
import { escapeSuite, tryBubblewrap } from "@cairn/testkit/sandbox";

escapeSuite(await tryBubblewrap());
