/** Attacks of programs on their machine, and their outcome in Deno. */
import { escapeSuite, tryDeno } from "@cairn/testkit/sandbox";

escapeSuite(await tryDeno());
