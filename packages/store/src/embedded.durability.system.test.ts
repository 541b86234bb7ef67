import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FORGET_FILE_SYNCS, traceWriter } from "@cairn/testkit/store";
import { findCommand } from "@cairn/testkit/system-package";
import { describe, expect, it } from "vitest";

const strace = process.platform === "linux" ? findCommand("strace") : { path: null, reason: "strace is for Linux" };
const title = "what the disk is asked to keep";

describe.skipIf(strace.path === null)(strace.path === null ? `${title} (${strace.reason})` : title, () => {
  const trace = async (sync: "full" | "off", nodeArgs: readonly string[] = []) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-durable-")));
    const dir = join(root, "not", "there", "yet");
    const recipe = {
      module: new URL("./index.ts", import.meta.url).href,
      export: "openEmbeddedStore",
      options: { dir, sync },
    };
    try {
      return await traceWriter(strace.path ?? "", recipe, root, nodeArgs);
    } finally {
      rmSync(root, { recursive: true });
    }
  };

  it("syncs the journal before each acknowledgement, a blob before its rename, and its folder after", async () => {
    const { acknowledged, moves, defects } = await trace("full");
    expect(defects).toEqual([]);
    expect(acknowledged).toBe(12);
    expect(moves).toBeGreaterThanOrEqual(4);
  });

  it("is detected to be missing when the database does not sync", async () => {
    const { acknowledged, defects } = await trace("off");
    expect(defects.filter((defect) => /-wal was not synced/.test(defect))).toHaveLength(acknowledged);
  });

  it("is detected to be missing when blobs and their folders are not synced", async () => {
    const { moves, defects } = await trace("full", ["--import", FORGET_FILE_SYNCS]);
    expect(defects.filter((defect) => /moved before its sync/.test(defect))).toHaveLength(moves);
    expect(defects.filter((defect) => /was not synced after the move/.test(defect))).toHaveLength(moves);
  });
});
