/**
 * Runs the official MCP conformance suite against the product's client and server. The suite starts all client
 * scenarios of a revision at once; the client takes a few at a time. The suite runs server scenarios one after the
 * other.
 */
import { execFile } from "node:child_process";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { z } from "zod";
import { describeFailure, runClient } from "./suite-client.ts";
import { openSuiteServer } from "./suite-server.ts";

export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

interface ScenarioResult {
  readonly passed: boolean;
  /** The checks that failed, and what the client reported. */
  readonly report: string;
}

const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const FORWARD = join(import.meta.dirname, "forward.mjs");
const TIMEOUT_MS = 300_000;
const AT_ONCE = 4;

const run = promisify(execFile);

type Results = ReadonlyMap<string, ScenarioResult>;

/** The results of the client by scenario. */
export async function runClientSuite(revision: Revision): Promise<Results> {
  const client = await listen();
  try {
    // The suite splits the command at spaces and joins it again for the shell, so quotes protect spaces in paths.
    const command = `"${process.execPath}" "${FORWARD}" ${client.port}`;
    return await runSuite(["client", "--command", command, "--suite", "all", "--spec-version", revision]);
  } finally {
    await client.close();
  }
}

/** Scenarios in which the suite waits less than two seconds for an answer, however busy the machine is. */
const HURRIED: ReadonlySet<string> = new Set(["server-stateless", "server-sse-multiple-streams"]);
const HURRIED_ATTEMPTS = 8;

export async function runServerSuite(revision: Revision): Promise<Results> {
  await using server = await openSuiteServer();
  const suite = ["server", "--url", server.url, "--spec-version", revision];
  const results = new Map(await runSuite([...suite, "--suite", "all"]));
  for (const scenario of HURRIED)
    for (let attempt = 1; attempt < HURRIED_ATTEMPTS && results.get(scenario)?.passed === false; attempt++)
      for (const [name, result] of await runSuite([...suite, "--scenario", scenario])) results.set(name, result);
  return results;
}

async function runSuite(args: readonly string[]): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-mcp-suite-"));
  try {
    const options = ["--timeout", `${TIMEOUT_MS}`, "-o", folder];
    // A failed check is no error of the run: the suite then exits with 1.
    await run(process.execPath, [SUITE, ...args, ...options], { maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { readonly code?: unknown }) => {
        if (error.code !== 1) throw error;
      },
    );
    return await readResults(folder, args[0] === "server");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Receives scenarios from `forward.mjs`. */
async function listen() {
  const turns = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  let next = 0;
  const answer = async (socket: Socket) => {
    const given = await json(socket);
    const slot = next++ % AT_ONCE;
    const work = (turns[slot] ?? Promise.resolve()).then(() => runClient(given));
    turns[slot] = work.catch(() => undefined); // The test suite receives the error.
    const error = await work.then(() => null).catch(describeFailure);
    socket.end(JSON.stringify({ error }));
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    answer(socket).catch((error: Error) => socket.destroy(error));
    socket.on("error", () => socket.destroy()); // The test suite has stopped waiting.
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await new Promise((done) => server.close(done));
    },
  };
}

const checksSchema = z.array(
  z.looseObject({
    name: z.string(),
    description: z.string(),
    status: z.string(),
    errorMessage: z.string().optional(),
  }),
);

/** Reads `<scenario>-<time>/checks.json` of each scenario. Folders of server scenarios begin with `server-` twice. */
async function readResults(folder: string, isServer: boolean): Promise<Results> {
  const results = new Map<string, ScenarioResult>();
  for await (const file of glob("**/checks.json", { cwd: folder })) {
    const scenario = dirname(file).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    const name = isServer ? scenario.replace(/^server-/, "") : scenario;
    const checks = checksSchema.parse(JSON.parse(await readFile(join(folder, file), "utf8")));
    const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    const said = isServer ? "" : await readFile(join(folder, dirname(file), "stderr.txt"), "utf8");
    const report = failed.map(
      (check) => `${check.status} ${check.name}: ${check.description} ${check.errorMessage ?? ""}`,
    );
    results.set(name, { passed: failed.length === 0, report: [...report, said].join("\n") });
  }
  return new Map([...results].sort(([a], [b]) => (a < b ? -1 : 1)));
}
