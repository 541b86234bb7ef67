/** The official MCP conformance suite, against the product's client. */
import { describe, expect, it } from "vitest";
import { exceptionsOf } from "./exceptions.ts";
import { REVISIONS, runScenario, scenariosOf } from "./run-suite.ts";

describe.each(REVISIONS)("at revision %s", async (revision) => {
  const scenarios = await scenariosOf(revision);
  const exceptions = exceptionsOf(revision);

  it("every exception is a scenario of the suite", () => {
    expect(scenarios).toEqual(expect.arrayContaining([...exceptions.keys()]));
  });

  it.each(scenarios)("%s passes, or fails for the reason in the list of exceptions", async (scenario) => {
    const { passed, report } = await runScenario(revision, scenario);
    expect(passed, `${exceptions.get(scenario) ?? "It is no exception."}\n${report}`).toBe(!exceptions.has(scenario));
  });
});
