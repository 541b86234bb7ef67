/** A tool that finds one source: part `n` of a survey, whose words can be quoted. */
import { type AnyTool, defineTool } from "@cairn/agent";
import { z } from "zod";

export const quoteOf = (n: number) => `Cairn ${n} has lost its cap stone.`;

export const surveyTool: AnyTool = defineTool({
  id: "survey.search",
  description: "Finds a part of the survey.",
  params: z.object({ n: z.number() }),
  run:
    async ({ n }) =>
    (scribe) => {
      const text = `Part ${n} of the survey. ${quoteOf(n)} It stands near the ford.`;
      const title = `Ridge survey, part ${n}`;
      // Every second source is a page that can be opened; the others have no address.
      const url = n % 2 === 0 ? `https://survey.example/${n}` : `survey:${n}`;
      scribe.mergeSources([{ source_type: "web", url, title, text }]);
      scribe.result(text, "text/plain");
    },
});

/** A decision that finds these parts. */
export const findsParts = (...parts: readonly number[]) => ({
  calls: parts.map((n) => ({ name: "survey__search", input: { n } })),
});
