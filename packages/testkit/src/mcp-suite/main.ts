/**
 * `npm run conformance:mcp`: runs every client scenario of the official MCP conformance suite and prints a table with
 * one row for each scenario and one column for each revision of the protocol. With a part of scenario names as its
 * argument, it runs only these and prints what the suite reports.
 */
import { REVISIONS, type Revision, runScenario, scenariosOf } from "./run-suite.ts";

const wanted = process.argv[2];

/** The revisions run side by side, the scenarios of each one after the other. */
async function runAll(revision: Revision): Promise<ReadonlyMap<string, boolean>> {
  const results = new Map<string, boolean>();
  for (const scenario of await scenariosOf(revision)) {
    if (wanted !== undefined && !scenario.includes(wanted)) continue;
    const { passed, report } = await runScenario(revision, scenario);
    if (wanted !== undefined) console.log(`${revision} ${scenario}\n${report}`);
    results.set(scenario, passed);
  }
  return results;
}

const columns = await Promise.all(REVISIONS.map(runAll));
const scenarios = new Set(columns.flatMap((results) => [...results.keys()]));
const line = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
const told = (passed: boolean | undefined) => (passed === undefined ? "" : passed ? "passed" : "failed");

line(["scenario", ...REVISIONS]);
line(["---", ...REVISIONS.map(() => "---")]);
for (const scenario of scenarios) line([scenario, ...columns.map((results) => told(results.get(scenario)))]);
line(["passed", ...columns.map((all) => `${[...all.values()].filter((passed) => passed).length} of ${all.size}`)]);
