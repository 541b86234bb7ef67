/** The official MCP conformance suite, against the product's client. */
import { expect, it } from "vitest";
import { exceptionsOf } from "./exceptions.ts";
import { REVISIONS, runSuite } from "./run-suite.ts";

it.each(REVISIONS)("every client scenario of %s passes, or is listed with the reason why not", async (revision) => {
  const results = await runSuite(revision);
  const failed = [...results].filter(([, { passed }]) => !passed);
  const reports = failed.map(([scenario, { report }]) => `${scenario}\n${report}`).join("\n\n");
  expect(results.size).toBeGreaterThan(4);
  expect(failed.map(([scenario]) => scenario).toSorted(), reports).toEqual(
    Object.keys(exceptionsOf(revision)).toSorted(),
  );
});
