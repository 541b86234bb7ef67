/** `npm run docs`: writes the references that are made from the code. A test says when they are not current. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { composeReferences } from "./reference/reference-files.ts";

for (const [path, content] of Object.entries(await composeReferences())) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), content);
  console.log(path);
}
