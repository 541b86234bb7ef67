/** Which sandbox runs a program: `auto` prefers isolation by the system, then Deno. No program runs without one. */
import { CairnError } from "@cairn/timeline";
import { bubblewrapSandbox } from "./bubblewrap/bubblewrap.ts";
import { denoSandbox } from "./deno/deno.ts";
import type { Sandbox, SandboxCheck, SandboxName } from "./sandbox/sandbox.ts";
import { LANGUAGES, type Language } from "./stage/program.ts";

export const SANDBOX_SETTINGS = ["auto", "bubblewrap", "deno", "none"] as const;
export type SandboxSetting = (typeof SANDBOX_SETTINGS)[number];

/** Parses `CAIRN_SANDBOX`. Throws `bad_setting` for anything but the four words. */
export function parseSandboxSetting(value: string | undefined): SandboxSetting {
  const word = value?.trim() || "auto";
  const setting = SANDBOX_SETTINGS.find((known) => known === word);
  if (setting !== undefined) return setting;
  throw new CairnError(
    "bad_setting",
    `CAIRN_SANDBOX is ${JSON.stringify(word.slice(0, 100))}. Set it to one of ${SANDBOX_SETTINGS.join(", ")}.`,
    { variable: "CAIRN_SANDBOX" },
  );
}

export interface SandboxOptions {
  readonly sandbox?: SandboxSetting | undefined;
  /** Where the memory of Deno's started Python is kept for later processes. Default: in the user's cache folder. */
  readonly cacheDir?: string | undefined;
}

export type ChosenSandbox =
  | { readonly sandbox: Sandbox; readonly detail: string }
  | { readonly sandbox: null; readonly problem: string };

export type ChooseSandbox = (language: Language) => Promise<ChosenSandbox>;

/** Checks each language once. Only the next process finds programs that are installed while this process runs. */
export function sandboxChooser(options: SandboxOptions = {}): ChooseSandbox {
  const candidates = candidatesOf(options);
  const chosen = new Map<Language, Promise<ChosenSandbox>>();
  return (language) => {
    const known = chosen.get(language) ?? choose(candidates, language);
    chosen.set(language, known);
    return known;
  };
}

function candidatesOf({ sandbox = "auto", cacheDir }: SandboxOptions): readonly Sandbox[] {
  const deno = () => denoSandbox(cacheDir === undefined ? {} : { cacheDir });
  if (sandbox === "none") return [];
  if (sandbox === "bubblewrap") return [bubblewrapSandbox()];
  return sandbox === "deno" ? [deno()] : [bubblewrapSandbox(), deno()];
}

async function choose(candidates: readonly Sandbox[], language: Language): Promise<ChosenSandbox> {
  const problems: string[] = [];
  for (const sandbox of candidates) {
    const check = await sandbox.check(language);
    if (check.ok) return { sandbox, detail: check.detail };
    problems.push(`${check.problem} ${check.remedy}`);
  }
  if (candidates.length === 0) problems.push("Running programs is switched off (CAIRN_SANDBOX is none).");
  return { sandbox: null, problem: problems.join(" Or: ") };
}

export interface DescribedSandbox {
  readonly name: SandboxName;
  readonly language: Language;
  readonly check: SandboxCheck;
}

/** All sandboxes, and for each language whether it works on this machine or how to install it. */
export async function describeSandboxes(options: SandboxOptions = {}): Promise<readonly DescribedSandbox[]> {
  const described: DescribedSandbox[] = [];
  for (const sandbox of candidatesOf({ ...options, sandbox: "auto" }))
    for (const language of LANGUAGES)
      described.push({ name: sandbox.name, language, check: await sandbox.check(language) });
  return described;
}
