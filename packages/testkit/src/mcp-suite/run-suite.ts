/** Runs scenarios of the official MCP conformance suite against the product's client. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";

export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

export interface ScenarioResult {
  readonly passed: boolean;
  /** What the suite printed. */
  readonly report: string;
}

const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
/** The suite splits the command at spaces and joins it again for the shell, so quotes protect spaces in paths. */
const CLIENT = `"${process.execPath}" --no-warnings "${join(import.meta.dirname, "client.ts")}"`;
const TIMEOUT_MS = 120_000;

const run = promisify(execFile);

/** The client scenarios that apply to a revision, in the order of the suite. */
export async function scenariosOf(revision: Revision): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [SUITE, "list", "--client", "--spec-version", revision]);
  return [...stdout.matchAll(/^ {2}- (\S+)/gm)].flatMap(([, name]) => name ?? []);
}

export async function runScenario(revision: Revision, scenario: string): Promise<ScenarioResult> {
  const options = [
    ...["client", "--command", CLIENT, "--timeout", `${TIMEOUT_MS}`],
    ...["--scenario", scenario, "--spec-version", revision],
  ];
  return await new Promise((done, fail) => {
    execFile(process.execPath, [SUITE, ...options], (error, stdout, stderr) => {
      // The suite exits with 1 when a check fails. Any other end is not a result.
      if (error !== null && error.code !== 1) fail(error);
      else done({ passed: error === null, report: stripVTControlCharacters(`${stdout}${stderr}`) });
    });
  });
}
