/**
 * `exec_tools.execute_code_python` and `exec_tools.execute_code_js`: programs the model writes, run in a sandbox.
 *
 * The tools write to the timeline: the code (`react.tool.code`, before the call, which does not repeat it), notices,
 * the report, then the digest and content of each produced file.
 */
import { availableParallelism } from "node:os";
import { type AnyTool, defineTool, type Shares, type Skill, type Tool } from "@cairn/agent";
import { z } from "zod";
import { type SandboxOptions, sandboxChooser } from "./choose-sandbox.ts";
import { type ExecuteOptions, execute } from "./execute.ts";
import { DEFAULT_LIMITS, type SandboxLimits } from "./process/limits.ts";
import { Slots } from "./slots.ts";
import type { Language } from "./stage/program.ts";

export interface ExecOptions extends SandboxOptions {
  /** Overrides of the defaults; `timeoutMs` is the timeout of a program that asks for none. */
  readonly limits?: Partial<SandboxLimits>;
  /** Maximum number of concurrent programs in this process; default: two per processor. */
  readonly concurrency?: number;
  /** How many of these programs one user and one tenant may run at a time (default: all). */
  readonly shares?: Shares;
  /** Programs that name a skill find its files below `OUTPUT_DIR/skills/<name>`. */
  readonly skills?: readonly Skill[];
}

const MAX_TIMEOUT_S_LENGTH = 600;
/** Extra time for the queue, the start of the sandbox and copying files. */
const MARGIN_MS = 300_000;

export function execTools(options: ExecOptions = {}): readonly AnyTool[] {
  const choose = sandboxChooser(options);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const slots = new Slots(options.concurrency ?? availableParallelism() * 2, options.shares);
  const shared = { choose, limits, slots, skills: options.skills ?? [] };
  return [execTool("python", shared), execTool("js", shared)];
}

const NAMES: Readonly<Record<Language, string>> = { python: "Python", js: "JavaScript" };

function execTool(
  language: Language,
  shared: Omit<ExecuteOptions, "language">,
): Tool<z.output<ReturnType<typeof paramsOf>>> {
  const { limits, skills } = shared;
  return defineTool({
    id: `exec_tools.execute_code_${language}`,
    description: `${describe(language)}${skills.length === 0 ? "" : ABOUT_SKILLS}`,
    params: paramsOf(language, limits.timeoutMs / 1000),
    timeout: MAX_TIMEOUT_S_LENGTH * 1000 + MARGIN_MS,
    streams: { param: "code", kind: "code" },
    traits: {
      files: "output",
      report: "program",
      language: NAMES[language].toLowerCase(),
      label: {
        icon: "run",
        done: `Ran ${NAMES[language]}`,
        doing: `Run ${NAMES[language]}`,
        shows: { params: ["prog_name"], as: "text" },
      },
    },
    shownParams: withoutCode,
    cutParams: (given, { turnId, callId }) => (hasOwnCode(given) ? { code: `fi:${turnId}.code.${callId}` } : {}),
    run: ({ timeout_s, ...params }, context) => {
      const own = { ...limits, timeoutMs: timeout_s * 1000 };
      return execute(params, { ...shared, language, limits: own }, context);
    },
  });
}

function paramsOf(language: Language, defaultSeconds: number) {
  return z.object({
    prog_name: z.string().min(1).max(100).default("main").describe("A short name for the program."),
    contract: z
      .array(z.string().min(1).max(1_000))
      .max(50)
      .default([])
      .describe("The files the program makes, as <current turn>/files/<name>. Only these are kept."),
    timeout_s: z
      .number()
      .min(1)
      .max(MAX_TIMEOUT_S_LENGTH)
      .default(Math.min(defaultSeconds, MAX_TIMEOUT_S_LENGTH))
      .describe("Seconds after which the program is stopped."),
    code: z
      .string()
      .min(1)
      .max(1_000_000)
      .describe(language === "python" ? "The whole program, in Python 3." : "The whole program, an ES module."),
  });
}

function describe(language: Language): string {
  const [name, join, fetch] =
    language === "python"
      ? ["a Python 3 program", "os.path.join(OUTPUT_DIR, '<current turn>/files/<name>')", "ctx_tools.fetch_ctx(path)"]
      : ["a JavaScript program", "OUTPUT_DIR + '/<current turn>/files/<name>'", "await ctx_tools.fetch_ctx(path)"];
  return (
    `Run ${name} in a sandbox: to compute, to read and convert files, to draw charts. No network. ` +
    `Write the files of the contract to ${join}; nothing else can be written. ` +
    "Files and attachments lie under their physical paths in OUTPUT_DIR, those of other turns if the code names the turn. " +
    `${fetch} gives what stands at a logical path (fi:, ar:, tc:, su:) as ` +
    "{path, mime, text or physical_path, error}, and of so:sources_pool[1-3] the list of rows. What the program prints comes back, the last 4,000 characters of it."
  );
}

const ABOUT_SKILLS =
  " The files of a skill lie below OUTPUT_DIR + '/skills/<skill>/' if the code contains the skill's name; " +
  "run a script of it from there with its interpreter.";

/** Whether the code itself is in the call, and not a reference to it. */
function hasOwnCode(given: unknown): boolean {
  if (withoutCode(given) === given) return false;
  const { code } = given as { readonly code: string };
  return code !== "" && !code.startsWith("ref:");
}

/** The code is shown before the call. Unexpected values are shown unchanged. */
function withoutCode(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const { code, ...rest } = given as Record<string, unknown>;
  return typeof code === "string" ? rest : given;
}
