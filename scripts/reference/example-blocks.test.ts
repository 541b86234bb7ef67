import { expect, test } from "vitest";
import { fillExamples } from "./example-blocks.ts";

test("every block of TypeScript in a recipe or in the guide to deployment is a file that the compiler checks", () => {
  for (const [page, text] of Object.entries(fillExamples())) {
    const blocks = text.match(/^```tsx?$/gm)?.length ?? 0;
    const named = text.match(/^<!-- (?:examples|create\/template)\/[\w./-]+ -->\n```tsx?$/gm)?.length ?? 0;
    expect({ page, named }).toEqual({ page, named: blocks });
  }
});
