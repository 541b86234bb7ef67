/** The sandboxes of this machine, with their requirements installed if possible, or the reason why they are missing. */
import { bubblewrapSandbox, denoSandbox, type Sandbox } from "@cairn/tools/exec";
import { findCommand } from "../system-package.ts";
import type { TriedSandbox } from "./escape-suite.ts";

export function tryBubblewrap(): Promise<TriedSandbox> {
  findCommand("bwrap", "bubblewrap");
  findCommand("python3");
  return trySandbox(bubblewrapSandbox());
}

export function tryDeno(): Promise<TriedSandbox> {
  return trySandbox(denoSandbox());
}

async function trySandbox(sandbox: Sandbox): Promise<TriedSandbox> {
  for (const language of ["python", "js"] as const) {
    const check = await sandbox.check(language);
    if (!check.ok) return { sandbox, missing: check.problem };
  }
  return { sandbox, missing: null };
}
