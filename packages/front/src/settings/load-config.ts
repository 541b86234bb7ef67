/** Finds and reads `cairn.config.ts` or `cairn.config.json` in the working directory. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CairnError, errorCode } from "@cairn/timeline";
import type { Source } from "./setting.ts";
import { type ConfigFile, readSettings, type Settings } from "./settings.ts";

const CODE = "cairn.config.ts";
const DATA = "cairn.config.json";

export async function loadSettings({ cwd, env }: Pick<Source, "cwd" | "env">): Promise<Settings> {
  return readSettings(await findConfig(cwd), env, cwd);
}

async function findConfig(cwd: string): Promise<ConfigFile | null> {
  const [code, data] = await Promise.all([readIfThere(join(cwd, CODE)), readIfThere(join(cwd, DATA))]);
  if (code !== null && data !== null)
    throw new CairnError("bad_config", `Both ${CODE} and ${DATA} exist. Keep one of them.`);
  if (code !== null) return { name: CODE, content: await importDefault(join(cwd, CODE)) };
  return data === null ? null : { name: DATA, content: parse(data) };
}

async function importDefault(path: string): Promise<unknown> {
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new CairnError("bad_config", `${CODE} cannot be loaded: ${messageOf(error)}`);
  }
  if (!("default" in loaded))
    throw new CairnError("bad_config", `${CODE} has no default export. Export the settings as its default.`);
  return loaded.default;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CairnError("bad_config", `${DATA} is not JSON: ${messageOf(error)}`);
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw new CairnError("bad_config", `${path} cannot be read: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/[\r\n]/, 1)[0] ?? "";
}
