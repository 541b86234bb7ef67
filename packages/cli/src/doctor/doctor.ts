/** `cairn doctor`: checks what Cairn needs, and says how to fix problems. */
import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { withFoundTools } from "@cairn/agent";
import type { Defect } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { loadSettings, type OpenedStore, openAgent, openStore, SETTINGS, type Settings } from "cairn-agent/process";
import manifest from "../../package.json" with { type: "json" };
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { doLongWork } from "../command/long-work.ts";
import { hasData, openData, scopeOf } from "../command/open-data.ts";
import { paint, type Terminal, writeJson } from "../command/terminal.ts";
import { checkDocuments, checkModels, checkPrograms, checkSearch } from "./check-tools.ts";
import type { Finding } from "./finding.ts";
import { fixOf } from "./fix-of.ts";

/** The sources of this repository need Node 24; the published package also runs on older versions. */
const [OLDEST_NODE = 0, OLDEST_MINOR = 0] = manifest.engines.node.replace(/^\D+/, "").split(".").map(Number);
const LITTLE_SPACE = 100 * 1024 * 1024;
const MAX_DEFECTS = 20;

export const doctor: Command = {
  summary: "check the installation and the data, and say how to fix problems",
  usage:
    "doctor [--repair] [--json]\n\n  --repair  rebuild what can be derived from the journal: indexes, search index, snapshots\n  --json    one JSON line for each check\n\n  ✓ works, ✗ needs fixing, ○ is optional and not installed.\n  The exit code is 1 if something needs fixing.",
  run: async (args, terminal) => {
    const { values } = readArgs(args, { repair: { type: "boolean" }, json: { type: "boolean" } });
    let failed = false;
    for await (const finding of examine(terminal, values.repair === true)) {
      failed ||= !finding.ok && finding.isOptional !== true;
      if (values.json === true) writeJson(terminal.stdout, finding);
      else terminal.stdout.write(describe(finding, terminal));
    }
    return failed ? EXIT.failed : EXIT.ok;
  },
};

async function* examine(terminal: Terminal, repair: boolean): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  let settings: Settings;
  try {
    settings = await loadSettings(terminal);
  } catch (error) {
    yield { check: "configuration", ok: false, message: messageOf(error), fix: fixConfiguration(error) };
    return;
  }
  yield { check: "configuration", ok: true, message: `read; ${namesSet(terminal)}` };
  yield await checkFolder(settings);
  yield* checkDatabase(settings, terminal, repair);
  const agent = await Array.fromAsync(checkAgent(settings, terminal));
  yield* agent;
  yield* checkModels(settings, terminal.env);
  // Reports a setting that prevents the agent from being opened only once.
  const isTold = (check: Finding["check"]) => agent.some((finding) => finding.check === check && !finding.ok);
  if (!isTold("search")) yield await checkSearch(settings, terminal.env);
  yield* checkDocuments();
  if (!isTold("programs")) yield* checkPrograms(settings);
}

/** Lists the variables that Cairn knows, so that a mistyped name is missing. An empty variable counts as absent. */
function namesSet({ env }: Terminal): string {
  const found = Object.values(SETTINGS).flatMap(({ variable }) =>
    variable !== null && env[variable] ? [variable] : [],
  );
  return found.length === 0 ? "no variable is set" : `set: ${found.join(", ")}`;
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const ok = major > OLDEST_NODE || (major === OLDEST_NODE && minor >= OLDEST_MINOR);
  const message = `Node ${version}`;
  const fix = `Cairn needs Node ${OLDEST_NODE}.${OLDEST_MINOR} or newer. Install it, for example with npm install node.`;
  return { check: "node", ok, message, ...(ok ? {} : { fix }) };
}

/** Checks that the folder, or its nearest existing parent, is writable and has free space. */
async function checkFolder({ dataDir }: Settings): Promise<Finding> {
  const check = "data folder";
  const bad = (message: string, fix: string): Finding => ({ check, ok: false, message, fix });
  let folder = dataDir;
  while (!(await reaches(folder, constants.F_OK)) && dirname(folder) !== folder) folder = dirname(folder);
  if (!(await stat(folder)).isDirectory())
    return bad(`${folder} is a file, not a folder`, "Move it away, or set CAIRN_DATA_DIR to a folder.");
  if (!(await reaches(folder, constants.W_OK)))
    return bad(`${folder} is not writable`, "Change its permissions, or set CAIRN_DATA_DIR to a folder that you own.");
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < LITTLE_SPACE)
    return bad(
      `${dataDir} has ${Math.floor(free / 1024 / 1024)} MB of free space`,
      "Free some space, or set CAIRN_DATA_DIR to a folder on another disk.",
    );
  return { check, ok: true, message: dataDir };
}

async function* checkDatabase(settings: Settings, terminal: Terminal, repair: boolean): AsyncGenerator<Finding> {
  if (!hasData(settings)) {
    yield { check: "database", ok: true, message: "does not exist yet; the first chat creates it" };
    return;
  }
  const { dataDir } = settings;
  try {
    await using data = await openData(terminal);
    const label = repair ? "Repairing" : "Checking";
    const defects = await doLongWork(terminal, label, async (_, signal) => {
      const found: Defect[] = [];
      for await (const defect of repair ? data.store.repair({ signal }) : data.store.verify({ signal })) {
        found.push(defect);
        if (found.length >= MAX_DEFECTS) break;
      }
      return found;
    });
    for (const { code, message } of defects)
      yield { check: "database", ok: false, message: `${code}: ${message}`, fix: fixOf(code, dataDir) };
    if (defects.length === 0) yield { check: "database", ok: true, message: "all stored data is intact" };
  } catch (error) {
    if (CairnError.is(error) && error.code === "interrupted") throw error;
    yield { check: "database", ok: false, message: messageOf(error), fix: fixOpening(error, settings) };
  }
}

/** The error's message names the wrong file, variable or key. */
function fixConfiguration(error: unknown): string {
  const variable = CairnError.is(error) ? error.details.variable : undefined;
  return typeof variable === "string"
    ? `Set ${variable} to a valid value, or unset it: unset ${variable}`
    : "Correct the configuration file in the working directory, or move it away to use the defaults.";
}

function fixOpening(error: unknown, { dataDir, database }: Settings): string {
  const code = CairnError.is(error) ? error.code : "";
  if (code === "bad_setting") return "Run the command or correct the setting that the message names.";
  if (database !== null && code === "busy") return "Start PostgreSQL, or correct CAIRN_DATABASE_URL.";
  switch (code) {
    case "newer_version":
      return fixOf("newer_version", dataDir);
    case "busy":
      return "Another process keeps the database locked. Wait for it or stop it, then run doctor again.";
    case "read_only":
    case "io":
      return `Give yourself write access to ${dataDir} and its files: chown -R "$USER" ${dataDir}`;
    case "full":
      return "Free some space: cairn gc removes the bytes of deleted conversations.";
    default:
      return fixOf("database_corrupt", dataDir);
  }
}

/** Opens the agent as a conversation does: its model, its tools and its MCP servers. */
async function* checkAgent(settings: Settings, terminal: Terminal): AsyncGenerator<Finding> {
  const store = await openIfUsable(settings);
  try {
    const owner = scopeOf(terminal);
    const users = { owner, ...(store === null ? {} : { store }) };
    await using opened = await openAgent(settings, terminal.env, null, users);
    const { agent, problems, skillProblems = [] } = opened;
    const { model, name, tools = [] } = await withFoundTools(agent, owner, new AbortController().signal);
    const note =
      model.id === "offline" ? " (quotes sources, is not a language model; set CAIRN_MODEL and a key to use one)" : "";
    yield { check: "model", ok: true, message: `agent ${name} with ${model.id}${note}` };
    const count = tools.filter(({ id }) => id.startsWith("mcp.")).length;
    if (count > 0) yield { check: "mcp", ok: true, message: count === 1 ? "one tool" : `${count} tools` };
    for (const message of problems)
      yield { ok: false, message, ...(skillProblems.includes(message) ? BAD_SKILL : BAD_SERVER) };
  } catch (error) {
    const remedy = AGENT_REMEDIES.get(CairnError.is(error) ? error.code : "") ?? OTHER_REMEDY;
    yield { ok: false, message: messageOf(error), ...remedy };
  } finally {
    await store?.close();
  }
}

/** The store for logins at MCP servers. The check of the database reports why it cannot be opened. */
async function openIfUsable(settings: Settings): Promise<OpenedStore | null> {
  if (!hasData(settings)) return null;
  try {
    return await openStore(settings);
  } catch {
    return null;
  }
}

type Remedy = Pick<Finding, "check" | "fix">;

const BAD_SKILL: Remedy = {
  check: "skills",
  fix: "Correct the skill, or remove its folder. With CAIRN_SKILLS=none, no skills are used.",
};

const BAD_SERVER: Remedy = {
  check: "mcp",
  fix: "Correct its entry under `mcp` in the configuration, start the MCP server, or log in with cairn mcp login.",
};

const KEY_MISSING: Remedy = {
  check: "model",
  fix: "Set the variable that the message names, or unset CAIRN_MODEL to use the offline model.",
};

/** Advice for when the agent cannot be opened, by the code of the error. */
const AGENT_REMEDIES: ReadonlyMap<string, Remedy> = new Map([
  ["bad_search_setting", { check: "search", fix: "Correct CAIRN_SEARCH, or unset it to use the sample library." }],
  ["bad_setting", { check: "programs", fix: "Correct CAIRN_SANDBOX, or unset it to use a sandbox that works here." }],
  [
    "bad_mcp_config",
    { check: "mcp", fix: "Correct the MCP server that the message names, under `mcp` in the configuration." },
  ],
  ["model_key_missing", KEY_MISSING],
  ["model_base_url_missing", KEY_MISSING],
  [
    "model_package_missing",
    {
      check: "model",
      fix: "Install the package that the message names with npm install, or unset CAIRN_MODEL to use the offline model.",
    },
  ],
  ["bad_skill", { check: "skills", fix: "Create the folder that the message names, or unset CAIRN_SKILLS." }],
]);

const OTHER_REMEDY: Remedy = {
  check: "model",
  fix: "Set CAIRN_MODEL to offline or to <provider>:<model>, such as anthropic:claude-sonnet-5.",
};

function describe({ ok, check, message, fix, isOptional }: Finding, { stdout }: Terminal): string {
  const mark = ok ? paint(stdout, "green", "✓") : isOptional === true ? "○" : paint(stdout, "red", "✗");
  return `${mark} ${check}: ${message}\n${fix === undefined ? "" : `  → ${fix}\n`}`;
}

async function reaches(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function messageOf(error: unknown): string {
  if (CairnError.is(error)) return error.message;
  return error instanceof Error ? error.message : String(error);
}
