/** Checks the models and the parts that tools need by trying them. A part is optional, unless a setting asks for it. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveModel } from "@cairn/agent";
import { openConfiguredSearch, type Settings } from "cairn-agent/process";
import type { Finding } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum wait for a search. If indexing a folder takes longer, the documents that are indexed so far are searched. */
const SEARCH_MS = 60_000;

/** Checks the search tool by running one search. */
export async function checkSearch(settings: Settings, env: Environment): Promise<Finding> {
  const check = "search";
  // A check must not create a data folder, so it uses a temporary one.
  const scratch = existsSync(settings.dataDir) ? null : await mkdtemp(join(tmpdir(), "cairn-doctor-"));
  try {
    const provider = await openConfiguredSearch(settings, { dataDir: scratch ?? settings.dataDir, env });
    if (provider === null) return { check, ok: true, message: "switched off (CAIRN_SEARCH is none)" };
    try {
      const { warnings } = await provider.search({ query: "cairn", n: 1 }, { signal: AbortSignal.timeout(SEARCH_MS) });
      const where =
        settings.tools.search ??
        "the sample library, Cairn's documentation (set CAIRN_SEARCH to search a folder or the web)";
      return { check, ok: true, message: [where, ...warnings].join("; ") };
    } finally {
      await provider.close();
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const fix = "Correct CAIRN_SEARCH or the place it names, or unset it to use the sample library.";
    return { check, ok: false, message: error.message, fix };
  } finally {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }
}

export async function* checkDocuments(): AsyncGenerator<Finding> {
  const { ChromiumRenderer, EmbeddedRenderer } = await import("@cairn/tools/rendering");
  const renderers = [
    ["documents", new EmbeddedRenderer()],
    ["html documents", new ChromiumRenderer()],
  ] as const;
  for (const [check, renderer] of renderers) {
    const { ok, detail } = await renderer.describe();
    await renderer.close();
    if (ok) yield { check, ok, message: detail };
    else yield { check, ok, isOptional: true, message: "not installed", fix: detail };
  }
}

/** Runs a trial program in each language. */
export async function* checkPrograms({ tools }: Settings): AsyncGenerator<Finding> {
  const check = "programs";
  const { parseSandboxSetting, sandboxChooser } = await import("@cairn/tools/exec");
  const sandbox = parseSandboxSetting(tools.sandbox ?? undefined);
  if (sandbox === "none") {
    yield { check, ok: true, message: "switched off (CAIRN_SANDBOX is none)" };
    return;
  }
  const choose = sandboxChooser({ sandbox });
  for (const [language, name] of [
    ["python", "Python"],
    ["js", "JavaScript"],
  ] as const) {
    const chosen = await choose(language);
    if (chosen.sandbox !== null)
      yield { check, ok: true, message: `${name} in ${chosen.sandbox.name}: ${chosen.detail}` };
    else {
      const message = `${name} programs cannot run: there is no sandbox`;
      yield { check, ok: false, isOptional: sandbox === "auto", message, fix: chosen.problem };
    }
  }
}

/** Checks the models of `CAIRN_MODELS`, because the server does not start with an unavailable one. */
export async function* checkModels({ server }: Settings, env: Environment): AsyncGenerator<Finding> {
  for (const name of server.models)
    try {
      await resolveModel(name, env);
      yield { check: "model", ok: true, message: `messages may ask for ${name}` };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      yield {
        check: "model",
        ok: false,
        message,
        fix: "Fix the problem that the message names, or remove the model from CAIRN_MODELS.",
      };
    }
}
