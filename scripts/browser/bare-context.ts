/**
 * Runs a bundle where there is nothing but the language and what every browser offers: no `process`, no `Buffer`, no
 * `require`. Node gives ES modules such a context only with a flag, hence a process of its own.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { BrowserBundle } from "./bundle.ts";

/**
 * Evaluates a module that may import the bundle as "bundle", and returns its default export (awaited), which must be
 * JSON. Errors that it throws are thrown here.
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
