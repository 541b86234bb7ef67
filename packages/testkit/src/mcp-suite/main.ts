/**
 * `npm run conformance:mcp`: runs every scenario of the official MCP conformance suite and prints one table for the
 * client and one for the server, with a row for each scenario and a column for each revision of the protocol. With a
 * part of a scenario's name as its argument, the command also prints what the suite reports about these scenarios.
 */
import { REVISIONS, runClientSuite, runServerSuite } from "./run-suite.ts";

const wanted = process.argv[2];
const line = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
const told = (passed: boolean | undefined) => (passed === undefined ? "" : passed ? "passed" : "failed");

for (const [side, runSuite] of [
  ["client scenario", runClientSuite],
  ["server scenario", runServerSuite],
] as const) {
  const columns = [];
  for (const revision of REVISIONS) {
    const results = await runSuite(revision);
    columns.push(results);
    for (const [scenario, { report }] of results)
      if (wanted !== undefined && scenario.includes(wanted)) console.log(`${revision} ${scenario}\n${report}`);
  }
  const scenarios = new Set(columns.flatMap((results) => [...results.keys()]));
  line([side, ...REVISIONS]);
  line(["---", ...REVISIONS.map(() => "---")]);
  for (const scenario of scenarios) line([scenario, ...columns.map((results) => told(results.get(scenario)?.passed))]);
  line([
    "passed",
    ...columns.map((all) => `${[...all.values()].filter(({ passed }) => passed).length} of ${all.size}`),
  ]);
  console.log();
}
process.exit();
