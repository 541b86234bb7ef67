/** Prints the number of attacks in each area, and checks the table in docs/security.md. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ATTACKS } from "../sandbox/index.ts";
import { CONSENT_ATTACKS } from "./consent.ts";
import { HEADER_ATTACKS } from "./headers.ts";
import { FORMAT_ATTACKS, IMPORT_ATTACKS } from "./imports.ts";
import { REQUEST_ATTACKS } from "./requests.ts";

const AREAS = {
  sandbox: ATTACKS.map(({ name, language }) => `${name} (${language})`),
  headers: HEADER_ATTACKS.map(({ name }) => name),
  consent: CONSENT_ATTACKS.map(({ name }) => name),
  import: [...IMPORT_ATTACKS, ...FORMAT_ATTACKS].map(({ name }) => name),
  http: REQUEST_ATTACKS.map(({ name }) => name),
} as const;

it("the number of attacks in each area matches the document, and each has a unique name", async () => {
  const document = await readFile(new URL("../../../../docs/security.md", import.meta.url), "utf8");
  for (const [area, names] of Object.entries(AREAS)) {
    console.log(`${area}: ${names.length} attacks`);
    expect([area, new Set(names).size]).toEqual([area, names.length]);
    expect(document).toMatch(new RegExp(`^\\| ${area} \\| ${names.length} \\|`, "m"));
  }
});
