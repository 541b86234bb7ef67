/** The machine's own interpreters, to be tried in order: the first may be in a home folder out of reach. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Language } from "../stage/program.ts";
import { type Interpreter, STAGE_INSIDE } from "./arguments.ts";

const run = promisify(execFile);

export async function interpretersFor(language: Language): Promise<readonly Interpreter[]> {
  return language === "python" ? pythons() : nodes();
}

async function pythons(): Promise<readonly Interpreter[]> {
  const system = ["/usr/bin/python3", "/usr/local/bin/python3"].filter(existsSync).map((path) => python(path, []));
  const own = await pythonOnPath();
  return own === null ? system : [...system, own];
}

function python(command: string, binds: Interpreter["binds"]): Interpreter {
  const args = ["-I", "-B", "-u", "-X", "utf8", `${STAGE_INSIDE}/run/run.py`, STAGE_INSIDE];
  return { command, args, binds, overheadBytes: 0 };
}

/** Finds a Python outside the system's folders. Programs see it and its installation, and nothing else there. */
async function pythonOnPath(): Promise<Interpreter | null> {
  try {
    const ask = "import json, os, sys; print(json.dumps([os.path.realpath(sys.executable), sys.base_prefix]))";
    const { stdout } = await run("python3", ["-I", "-c", ask], { timeout: 10_000 });
    const [executable, prefix] = JSON.parse(stdout) as [string, string];
    if (prefix === "/usr" || prefix === "/usr/local") return null;
    return python(executable, [[prefix, prefix]]);
  } catch {
    return null; // The file does not exist.
  }
}

/** Address space that V8 reserves before a program begins; it uses a tenth of it. */
const NODE_OVERHEAD = 768 * 1024 * 1024;

function nodes(): readonly Interpreter[] {
  const args = [`${STAGE_INSIDE}/run/run.mjs`, STAGE_INSIDE];
  const found = [process.execPath, "/usr/bin/node", "/usr/local/bin/node"].filter(
    (path, at, all) => existsSync(path) && all.indexOf(path) === at,
  );
  return found.map((path) => ({
    command: "/opt/node",
    args,
    binds: [[path, "/opt/node"] as const],
    overheadBytes: NODE_OVERHEAD,
  }));
}
