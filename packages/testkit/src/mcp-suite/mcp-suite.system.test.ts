/** The official MCP conformance suite, against the product's client and server. */
import { describe, expect, it } from "vitest";
import { exceptionsOf } from "./exceptions.ts";
import { REVISIONS, runClientSuite, runServerSuite } from "./run-suite.ts";

describe.each([
  ["client", runClientSuite, 4],
  ["server", runServerSuite, 26],
] as const)("of the %s", (side, runSuite, atLeast) => {
  it.each(REVISIONS)("every scenario of %s passes, or is listed with the reason why not", async (revision) => {
    const results = await runSuite(revision);
    const failed = [...results].filter(([, { passed }]) => !passed);
    const reports = failed.map(([scenario, { report }]) => `${scenario}\n${report}`).join("\n\n");
    expect(results.size).toBeGreaterThan(atLeast);
    expect(failed.map(([scenario]) => scenario).toSorted(), reports).toEqual(
      Object.keys(exceptionsOf(side, revision)).toSorted(),
    );
  });
});
