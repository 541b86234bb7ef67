/** Tests that every sandbox meets the contract of a sandbox, in every language. */
import { sandboxSuite, tryBubblewrap, tryDeno } from "@cairn/testkit/sandbox";
import { LANGUAGES } from "./stage/program.ts";

const sandboxes = [await tryBubblewrap(), await tryDeno()];
for (const tried of sandboxes) for (const language of LANGUAGES) sandboxSuite(tried, language);
