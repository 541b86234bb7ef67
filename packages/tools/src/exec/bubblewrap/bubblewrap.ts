/**
 * Isolation by the Linux kernel, with the machine's own Python and Node: bubblewrap gives the program separate
 * namespaces and a root without the machine's files, the kernel enforces its limits, and a filter blocks system calls
 * that no program needs. When the first process of the namespace ends, the kernel ends all others.
 */
import { open } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import { ControlGroup, delegatedGroup, groupSettings } from "../process/control-group.ts";
import { findProgram } from "../process/find-program.ts";
import { sandboxOwner } from "../process/run-as.ts";
import { sealedStdio } from "../process/sealed-stdio.ts";
import { supervise } from "../process/supervise.ts";
import { outcomeOf } from "../sandbox/outcome.ts";
import type { RunOptions, Sandbox, SandboxCheck, SandboxJob, SandboxRun } from "../sandbox/sandbox.ts";
import { tryProgram } from "../sandbox/try-program.ts";
import { IN_NAMESPACES, seccompFilter } from "../seccomp/seccomp.ts";
import type { Language } from "../stage/program.ts";
import { type Interpreter, sandboxArguments } from "./arguments.ts";
import { interpretersFor } from "./interpreters.ts";

/** The first descriptor after standard input, output and error. */
const FILTER_DESCRIPTOR = 3;

export function bubblewrapSandbox(): Sandbox {
  const found = new Map<Language, Promise<FoundInterpreter>>();
  const findOnce = (language: Language) => {
    const known = found.get(language) ?? findInterpreter(language);
    found.set(language, known);
    return known;
  };
  return {
    name: "bubblewrap",
    check: async (language) => (await findOnce(language)).check,
    run: async (job, options) => {
      const { interpreter, check } = await findOnce(job.language);
      if (interpreter !== null) return runWith(interpreter, job, options);
      throw new CairnError("sandbox_unavailable", check.ok ? "" : `${check.problem} ${check.remedy}`);
    },
  };
}

interface FoundInterpreter {
  readonly interpreter: Interpreter | null;
  readonly check: SandboxCheck;
}

async function findInterpreter(language: Language): Promise<FoundInterpreter> {
  const missing = whatIsMissing();
  if (missing !== null) return { interpreter: null, check: missing };
  const candidates = await interpretersFor(language);
  let problem = `There is no ${language === "python" ? "Python 3" : "Node"} that bubblewrap can run.`;
  for (const interpreter of candidates) {
    const trial = await tryProgram(language, (job, options) => runWith(interpreter, job, options));
    if (trial === null) return { interpreter, check: { ok: true, detail: describe(interpreter) } };
    problem = `bubblewrap cannot run ${interpreter.binds[0]?.[0] ?? interpreter.command}: ${trial}`;
  }
  const remedy =
    candidates.length === 0
      ? `Install ${language === "python" ? "python3" : "nodejs"} outside of home folders.`
      : "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), and install the interpreter where every user can read it.";
  return { interpreter: null, check: { ok: false, problem, remedy } };
}

function describe({ command, binds }: Interpreter): string {
  const owner = sandboxOwner();
  const held =
    group() === null ? "limits checked at intervals (no control group is delegated)" : `limits enforced by ${group()}`;
  return `${binds[0]?.[0] ?? command} in bubblewrap${owner === null ? "" : `, as user ${owner.uid}`}; ${held}`;
}

let found: string | null | undefined;

/** The control group is determined once, because one is delegated when the server starts, or never. */
function group(): string | null {
  if (found === undefined) found = delegatedGroup();
  return found;
}

function whatIsMissing(): Extract<SandboxCheck, { ok: false }> | null {
  const no = (problem: string, remedy: string) => ({ ok: false as const, problem, remedy });
  if (process.platform !== "linux")
    return no("bubblewrap runs on Linux only.", "Use the deno sandbox: npm install deno pyodide.");
  if (seccompFilter(IN_NAMESPACES) === null)
    return no(`There is no system call filter for ${process.arch}.`, "Use the deno sandbox.");
  if (findProgram("bwrap") === null)
    return no("bubblewrap is not installed.", "Install it: apt-get install bubblewrap.");
  return findProgram("prlimit") === null ? no("prlimit is not installed.", "Install util-linux.") : null;
}

async function runWith(interpreter: Interpreter, job: SandboxJob, options: RunOptions): Promise<SandboxRun> {
  const { stage, limits } = job;
  const parent = group();
  await using controlGroup = parent === null ? null : await ControlGroup.make(parent, groupSettings(limits));
  await stage.write("run/filter", seccompFilter(IN_NAMESPACES) ?? "");
  const filter = await open(stage.path("run/filter"), "r");
  try {
    const end = await supervise(
      {
        command: findProgram("bwrap") ?? "bwrap",
        args: sandboxArguments(stage, limits, interpreter, FILTER_DESCRIPTOR),
        stdio: sealedStdio({ extra: [filter.fd] }),
        // The program can read the environment of bubblewrap's first process, so it is empty.
        env: {},
        owner: sandboxOwner(),
        limits,
        writable: stage.writable.map((folder) => stage.path(folder)),
        group: controlGroup,
      },
      options,
    );
    return await outcomeOf(end, job);
  } finally {
    await filter.close();
  }
}
