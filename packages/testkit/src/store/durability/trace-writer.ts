/** Runs a writer under `strace` and checks what it synced before each acknowledgement. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChild } from "../crash/child-process.ts";
import type { CrashOrder } from "../crash/crash-writer.ts";
import type { StoreRecipe } from "../crash/store-recipe.ts";
import { checkDurability, type DurabilityFindings } from "./check-durability.ts";
import { parseTrace, TRACED_CALLS } from "./system-calls.ts";

const WRITER = new URL("../crash/crash-writer.ts", import.meta.url);

/** Disables the syncing of files and folders, as a broken back end would; the database is not affected. */
export const FORGET_FILE_SYNCS = `data:text/javascript,${encodeURIComponent(
  `import fs from "node:fs";
   import { syncBuiltinESMExports } from "node:module";
   fs.fsync = (_file, done) => process.nextTick(done, null);
   syncBuiltinESMExports();`,
)}`;

export async function traceWriter(
  strace: string,
  recipe: StoreRecipe,
  folder: string,
  nodeArgs: readonly string[] = [],
): Promise<DurabilityFindings> {
  const work = mkdtempSync(join(tmpdir(), "cairn-trace-"));
  const log = join(work, "trace");
  try {
    const under = [strace, "-f", "-y", "-qq", "-e", `trace=${TRACED_CALLS.join(",")}`, "-e", "signal=none", "-o", log];
    const key = { tenant: "t", project: "p", user: "u", conversation: "traced" };
    const order: CrashOrder = { recipe, key, life: 1, batches: 12 };
    await runChild(WRITER, order, { under, nodeArgs });
    return checkDurability(parseTrace(readFileSync(log, "utf8")), folder);
  } finally {
    rmSync(work, { recursive: true });
  }
}
