/**
 * `npm run docs`: writes the reference pages that are generated from the code. A test fails if they are out of date.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { composeReferences } from "./reference/reference-files.ts";

for (const [path, content] of Object.entries(await composeReferences())) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), content);
  console.log(path);
}
