/**
 * Runs before every system test file. Files share a process, so the environment and the working directory are restored
 * after each file.
 */
import { afterAll } from "vitest";

const env = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
});
