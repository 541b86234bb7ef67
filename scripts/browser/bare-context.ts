/**
 * Runs a bundle in a context that has only the language and the Web APIs of every browser: no `process`, no `Buffer`,
 * no `require`. Node offers such a context for ES modules only with a flag, so the bundle runs in a separate process.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { BrowserBundle } from "./bundle.ts";

/**
 * Evaluates a module that may import the bundle as "bundle", and returns its default export (awaited), which must be
 * JSON. Errors of the module are thrown to the caller.
 */
export function evaluateWithBundle({ chunks, entry }: BrowserBundle, source: string): unknown {
  const child = spawnSync(
    process.execPath,
    ["--experimental-vm-modules", "--no-warnings", join(import.meta.dirname, "evaluate-in-bare-context.ts")],
    {
      input: JSON.stringify({ chunks: [...chunks], entry, source }),
      encoding: "utf8",
      maxBuffer: 2 ** 26,
      timeout: 60_000,
    },
  );
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}
