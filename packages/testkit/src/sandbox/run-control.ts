/**
 * Runs a program without a sandbox: on the same kind of stage, by the same runner, with all permissions of the test
 * itself. Only attacks may run in this way: they are written to harm only their canary.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { locateDeno, type Stage } from "@cairn/tools/exec";
import type { ControlKind } from "./attacks/attack.ts";
import type { CanaryFacts } from "./attacks/canary.ts";

const require = createRequire(import.meta.resolve("@cairn/tools/exec"));
/** Timeout of a control, as long as the timeouts of the tests, because a busy machine is slow. */
const MAX_MS = 240_000;

/** Runs the control and returns what it printed to both streams. */
export async function runControl(kind: ControlKind, stage: Stage, canary: CanaryFacts): Promise<string> {
  const [command, ...args] = commandFor(kind, stage);
  const child = spawn(command, args, {
    cwd: stage.path("out"),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: homedir(),
      TMPDIR: stage.path("tmp"),
      DENO_DIR: stage.path("tmp/deno"),
      NPM_CONFIG_REGISTRY: `http://127.0.0.1:${canary.httpPort}/`,
      CANARY_SECRET: canary.secret,
    },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: MAX_MS,
    killSignal: "SIGKILL",
  });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  child.stderr.on("data", (piece: Buffer) => pieces.push(piece));
  child.stdin.on("error", () => undefined); // The program may exit without reading its input.
  const closed = new Promise((resolve, reject) => child.once("close", resolve).on("error", reject));
  const [input] = await Promise.all([kind === "pyodide" ? readSnapshot() : "", once(child, "spawn")]);
  child.stdin.end(input);
  await closed;
  return Buffer.concat(pieces).toString();
}

function commandFor(kind: ControlKind, stage: Stage): readonly [string, ...string[]] {
  const anything = ["run", "-A", "--quiet", "--no-config", "--no-lock", "--unstable-worker-options"];
  switch (kind) {
    case "python":
      return ["python3", "-u", stage.path("run/run.py"), stage.root];
    case "node":
      return [process.execPath, stage.path("run/run.mjs"), stage.root];
    case "deno":
      return [locateDeno() ?? "deno", ...anything, stage.path("run/run.mjs"), stage.root];
    case "pyodide": {
      const pyodide = dirname(require.resolve("pyodide/package.json"));
      return [locateDeno() ?? "deno", ...anything, stage.path("run/run-pyodide.mjs"), stage.root, pyodide];
    }
  }
}

/** Uses the file that the sandbox made, because the check of the sandbox runs first. The last bytes are its hash. */
async function readSnapshot(): Promise<Buffer> {
  const { version } = require("pyodide/package.json") as { version: string };
  const folder = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return (await readFile(join(folder, "cairn", `pyodide-${version}.snapshot`))).subarray(0, -32);
}
