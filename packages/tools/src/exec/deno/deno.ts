/**
 * The sandbox that works everywhere: Deno, whose permissions keep a program to its stage, runs JavaScript, and pyodide
 * in it runs Python. Pyodide itself isolates nothing: its programs can reach JavaScript, so Deno must confine them. On
 * Linux the kernel also confines Deno; on other systems a trial must show that no program can create links.
 *
 * V8 limits the heap and the memory of WebAssembly; the whole process is monitored as well. With a POSIX shell, the
 * system limits file sizes and processor time.
 */
import { CairnError } from "@cairn/timeline";
import { findProgram } from "../process/find-program.ts";
import { type ProcessOwner, sandboxOwner } from "../process/run-as.ts";
import { sealedStdio } from "../process/sealed-stdio.ts";
import { type SupervisedCommand, supervise } from "../process/supervise.ts";
import { outcomeOf } from "../sandbox/outcome.ts";
import type { RunOptions, Sandbox, SandboxCheck, SandboxJob, SandboxRun } from "../sandbox/sandbox.ts";
import { tryProgram } from "../sandbox/try-program.ts";
import type { Language } from "../stage/program.ts";
import { denoArguments, denoEnvironment } from "./arguments.ts";
import { holding } from "./hold.ts";
import { locateDeno, locatePyodide, tooOld } from "./locate.ts";
import { NO_LINKS } from "./no-links.ts";
import { loadSnapshot } from "./snapshot.ts";

export interface DenoOptions {
  /** Where the started interpreter is cached between processes; default: the user's cache folder. */
  readonly cacheDir?: string;
}

/** The parts that a language needs in addition to Deno. */
interface Engine {
  readonly deno: string;
  readonly pyodide: { readonly folder: string; readonly snapshot: Uint8Array } | null;
  readonly owner: ProcessOwner | null;
}

interface FoundEngine {
  readonly engine: Engine | null;
  readonly check: SandboxCheck;
}

export function denoSandbox(options: DenoOptions = {}): Sandbox {
  const found = new Map<Language, Promise<FoundEngine>>();
  const findOnce = (language: Language) => {
    const known = found.get(language) ?? findEngine(language, options);
    found.set(language, known);
    return known;
  };
  return {
    name: "deno",
    check: async (language) => (await findOnce(language)).check,
    run: async (job, runOptions) => {
      const { engine, check } = await findOnce(job.language);
      if (engine !== null) return runWith(engine, job, runOptions);
      throw new CairnError("sandbox_unavailable", check.ok ? "" : `${check.problem} ${check.remedy}`);
    },
  };
}

async function findEngine(language: Language, options: DenoOptions): Promise<FoundEngine> {
  const no = (problem: string, remedy: string) => ({ engine: null, check: { ok: false as const, problem, remedy } });
  const deno = locateDeno();
  if (deno === null) return no("Deno is not installed.", "Install it: npm install deno.");
  const pyodide = language === "python" ? await locatePyodide() : null;
  if (language === "python" && pyodide === null)
    return no("pyodide, which runs Python in Deno, is not installed.", "Install it: npm install pyodide.");
  let problem = "";
  try {
    const old = await tooOld(deno);
    if (old !== null) return no(old, "Install a newer one: npm install deno@latest.");
    const loaded =
      pyodide === null
        ? null
        : { folder: pyodide.folder, snapshot: await loadSnapshot({ deno, pyodide, cacheDir: options.cacheDir }) };
    // The user `nobody` may be unable to start a program in a home folder. Then Deno runs as the current user.
    for (const owner of new Set([sandboxOwner(), null])) {
      const engine = { deno, pyodide: loaded, owner };
      const trial = await tryProgram(language, (job, runOptions) => runWith(engine, job, runOptions));
      if (trial === null) {
        const bare = { ...engine, pyodide: null };
        const links = await tryProgram("js", (job, runOptions) => runWith(bare, job, runOptions), NO_LINKS);
        if (links === null) return { engine, check: { ok: true, detail: describe(engine, pyodide?.version) } };
        return no(
          `Deno cannot be confined on this system: ${links}`,
          "Run programs on Linux, where Deno can be confined.",
        );
      }
      problem = trial;
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return no(`Deno does not run here: ${problem}`, "Install it again: npm install deno pyodide.");
}

function describe({ deno, owner }: Engine, pyodide: string | undefined): string {
  const python = pyodide === undefined ? "" : ` with pyodide ${pyodide}`;
  return `${deno}${python}${owner === null ? "" : `, as user ${owner.uid}`}`;
}

async function runWith(engine: Engine, job: SandboxJob, options: RunOptions): Promise<SandboxRun> {
  const { stage, limits } = job;
  const { deno, pyodide, owner } = engine;
  const writable = stage.writable.map((folder) => stage.path(folder));
  const megabytes = Math.floor(limits.memoryBytes / 1024 / 1024);
  const folders = { read: pyodide === null ? [stage.root] : [stage.root, pyodide.folder], write: writable };
  const args = denoArguments({
    ...folders,
    v8Flags: [`--max-old-space-size=${megabytes}`, `--wasm-max-mem-pages=${megabytes * 16}`],
    script:
      pyodide === null
        ? [stage.path("run/run.mjs"), stage.root]
        : [stage.path("run/run-pyodide.mjs"), stage.root, pyodide.folder],
  });
  const command: SupervisedCommand = {
    ...limited([...(await holding(deno, stage, folders)), deno, ...args], job),
    stdio: sealedStdio(pyodide === null ? {} : { input: "pipe" }),
    env: denoEnvironment(stage.path("tmp")),
    owner,
    limits,
    writable,
    ...(pyodide === null ? {} : { input: pyodide.snapshot }),
  };
  return outcomeOf(await supervise(command, options), job);
}

/** Limits set by a POSIX shell; file sizes in blocks of 512 bytes, memory in kilobytes. */
const SHELL = 'ulimit -c 0; ulimit -f "$1"; ulimit -t "$2"; ulimit -d "$3"; shift 3; exec "$@"';
/** Address space that Deno and V8 reserve for their threads before a program begins; they use little of it. */
const OVERHEAD_BYTES = 2 * 1024 * 1024 * 1024;

function limited(words: readonly string[], { limits }: SandboxJob) {
  const shell = process.platform === "win32" ? null : findProgram("sh");
  const [command = "", ...args] = words;
  if (shell === null) return { command, args };
  const blocks = String(Math.ceil(limits.fileBytes / 512));
  const seconds = String(Math.ceil(limits.timeoutMs / 1000) + 1);
  const kilobytes = String(Math.ceil((limits.memoryBytes + OVERHEAD_BYTES) / 1024));
  return { command: shell, args: ["-c", SHELL, "sh", blocks, seconds, kilobytes, ...endWithParent(), ...words] };
}

/** Tells Linux that a process must not outlive its parent, nor gain privileges. */
function endWithParent(): readonly string[] {
  const setpriv = process.platform === "linux" ? findProgram("setpriv") : null;
  return setpriv === null ? [] : [setpriv, "--no-new-privs", "--pdeathsig", "KILL"];
}
