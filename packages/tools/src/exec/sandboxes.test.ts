/** Every sandbox keeps the contract of a sandbox, in every language. */
import { sandboxSuite } from "@cairn/testkit/sandbox";
import { LANGUAGES } from "./sandbox.ts";
import { tryBubblewrap, tryDeno } from "./tried-sandboxes.ts";

for (const tried of [await tryBubblewrap(), await tryDeno()])
  for (const language of LANGUAGES) sandboxSuite(tried, language);
