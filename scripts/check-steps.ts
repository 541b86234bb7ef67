/**
 * Checks that do not run the code. All steps run even if one fails, so that one report shows every problem. The steps
 * run at the same time, because each uses its core only for a part of its time.
 */
import { installCheckers, whyNoCheckers } from "@cairn/testkit/checkers";
import { commandOutput, printHeading } from "./run-command.ts";
import type { Tally } from "./tally.ts";

interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The compiler stores its results and checks only what has changed since. One type checker takes half the processor
 * time of the default four, which all check the shared types, and the steps already run at the same time.
 */
function types(title: string, project: string, memory: string): Step {
  const file = `node_modules/.cache/tsc/${memory}.tsbuildinfo`;
  return {
    title,
    command: "tsc",
    args: ["-p", project, "--checkers", "1", "--incremental", "--tsBuildInfoFile", file],
  };
}

/** All that a quick run checks. */
const quickSteps: readonly Step[] = [
  types("types", ".", "all"),
  types("types of the web app", "packages/web", "web"),
  { title: "format and lint", command: "biome", args: ["check", "."] },
];
const allSteps: readonly Step[] = [
  ...quickSteps,
  { title: "layers and cycles", command: "node", args: ["scripts/check-layers.ts"] },
  { title: "unused code and dependencies", command: "knip", args: [] },
  { title: "size of the clone", command: "node", args: ["scripts/check-size.ts"] },
  { title: "licences", command: "node", args: ["scripts/check-licences.ts"] },
];

/** Runs the checks. One line names the passed checks, as tests print at the same time. Failures are printed whole. */
export async function runChecks(isQuick = false): Promise<Tally> {
  const steps = isQuick ? quickSteps : allSteps;
  installCheckers();
  const missing = whyNoCheckers();
  const runnable = steps.filter(({ command }) => missing === null || command === "node");
  const done = await Promise.all(
    runnable.map(async (step) => ({ ...step, ...(await commandOutput(step.command, step.args)) })),
  );
  const failed = done.filter(({ passed }) => !passed);
  for (const { title, output } of failed) {
    printHeading(title);
    process.stdout.write(output);
    console.log("failed");
  }
  const passed = done.filter((step) => step.passed).map(({ title }) => title);
  if (passed.length > 0) console.log(`\n✓ checks: ${passed.join(", ")}`);
  const skips = steps.filter((step) => !runnable.includes(step)).map(({ title }) => `check: ${title} (${missing})`);
  return { passed: passed.length, failures: failed.map(({ title }) => `check: ${title}`), skips };
}
