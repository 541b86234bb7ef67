/**
 * Runs before every unit test file: a unit test that starts a process fails. Tests that do are named `x.system.test.ts`,
 * so that `npm run test:quick` can leave them out by their name.
 */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const refuse = (): never => {
  throw new Error("A unit test starts no process. Name the test file x.system.test.ts.");
};
for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const)
  Reflect.set(childProcess, name, refuse);
syncBuiltinESMExports();
