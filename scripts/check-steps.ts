/**
 * Checks that do not run the code. All steps run, so that one report shows everything there is to mend, and they run at
 * once: each leaves a core idle for a part of its time.
 */
import { commandOutput, printHeading } from "./run-command.ts";
import type { Tally } from "./tally.ts";

interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The compiler stores its results and checks only what has changed since. One checker takes half the processor time of
 * the default four, which all check the shared types, and the steps already run at the same time.
 */
function types(title: string, project: string, memory: string): Step {
  const file = `node_modules/.cache/tsc/${memory}.tsbuildinfo`;
  return {
    title,
    command: "tsc",
    args: ["-p", project, "--checkers", "1", "--incremental", "--tsBuildInfoFile", file],
  };
}

const steps: readonly Step[] = [
  types("types", ".", "all"),
  types("types of the web app", "packages/web", "web"),
  { title: "format and lint", command: "biome", args: ["check", "."] },
  { title: "layers and cycles", command: "node", args: ["scripts/check-layers.ts"] },
  { title: "unused code and dependencies", command: "knip", args: [] },
  { title: "size of node_modules", command: "node", args: ["scripts/check-size.ts"] },
  { title: "licences", command: "node", args: ["scripts/check-licences.ts"] },
];

export async function runChecks(): Promise<Tally> {
  const failures: string[] = [];
  const running = steps.map(async (step) => ({ ...step, ...(await commandOutput(step.command, step.args)) }));
  for (const { title, passed, output } of await Promise.all(running)) {
    printHeading(title);
    process.stdout.write(output);
    console.log(passed ? "passed" : "failed");
    if (!passed) failures.push(`check: ${title}`);
  }
  return { passed: steps.length - failures.length, failures, skips: [] };
}
