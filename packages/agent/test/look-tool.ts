import { tokensOf } from "@cairn/testkit/turns";
import { z } from "zod";
import { defineTool } from "../src/tool/tool.ts";

/** Makes a tool whose result has the given number of tokens. */
export const lookTool = (tokens: number) =>
  defineTool({
    id: "site.look",
    description: "Looks something up.",
    params: z.object({ what: z.string() }),
    run:
      async ({ what }) =>
      (scribe) =>
        scribe.result(tokensOf(what, tokens), "text/plain"),
  });
