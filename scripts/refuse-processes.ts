/**
 * Runs before every unit test file: a unit test that starts a process fails. Tests that do are named `x.system.test.ts`,
 * so that `npm run test:quick` can leave them out by their name.
 */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterAll } from "vitest";

const RULE = "A unit test starts no process. Name the test file x.system.test.ts.";
const refused: string[] = [];

for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const)
  Reflect.set(childProcess, name, (command: unknown) => {
    refused.push(String(command));
    throw new Error(RULE);
  });
syncBuiltinESMExports();

// The error is thrown at the end, because code that searches for a program would take it for a missing program.
afterAll(() => {
  if (refused.length > 0) throw new Error(`${RULE} It started: ${refused.join(", ")}`);
});
