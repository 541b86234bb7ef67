import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { composeReferences } from "./reference-files.ts";

test("the references and the code in recipes and in the guide to deployment are what the code gives; npm run docs writes them anew", async () => {
  for (const [path, content] of Object.entries(await composeReferences()))
    expect(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")).toBe(content);
});
