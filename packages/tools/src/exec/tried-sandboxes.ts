/** For tests: the sandboxes of this machine, what they need installed where that can be done, or why they are missing. */
import type { TriedSandbox } from "@cairn/testkit/sandbox";
import { findCommand } from "@cairn/testkit/system-package";
import { bubblewrapSandbox } from "./bubblewrap/bubblewrap.ts";
import { denoSandbox } from "./deno/deno.ts";
import { LANGUAGES, type Sandbox } from "./sandbox.ts";

export function tryBubblewrap(): Promise<TriedSandbox> {
  findCommand("bwrap", "bubblewrap");
  findCommand("python3");
  return trySandbox(bubblewrapSandbox());
}

export function tryDeno(): Promise<TriedSandbox> {
  return trySandbox(denoSandbox());
}

async function trySandbox(sandbox: Sandbox): Promise<TriedSandbox> {
  for (const language of LANGUAGES) {
    const check = await sandbox.check(language);
    if (!check.ok) return { sandbox, missing: check.problem };
  }
  return { sandbox, missing: null };
}
