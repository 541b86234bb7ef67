/** What is checked without running the code. All steps run, so that one report shows everything there is to mend. */
import { printHeading, runCommand } from "./run-command.ts";
import type { Tally } from "./tally.ts";

const steps: readonly { readonly title: string; readonly command: string; readonly args: readonly string[] }[] = [
  { title: "types", command: "tsc", args: ["-p", "."] },
  { title: "types of the web app", command: "tsc", args: ["-p", "packages/web"] },
  { title: "format and lint", command: "biome", args: ["check", "."] },
  { title: "layers and cycles", command: "node", args: ["scripts/check-layers.ts"] },
  { title: "unused code and dependencies", command: "knip", args: [] },
];

export function runChecks(): Tally {
  const failures: string[] = [];
  for (const { title, command, args } of steps) {
    printHeading(title);
    const passed = runCommand(command, args);
    console.log(passed ? "passed" : "failed");
    if (!passed) failures.push(`check: ${title}`);
  }
  return { passed: steps.length - failures.length, failures, skips: [] };
}
