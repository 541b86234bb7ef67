import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { expect, it } from "vitest";
import { killWriters } from "./crash-harness.ts";

it("the crash harness detects a store that acknowledges before it has written", async () => {
  const dir = mkdtempSync(join(tmpdir(), "cairn-hasty-"));
  const store = await openEmbeddedStore({ dir });
  const recipe = {
    module: new URL("./hasty-store.ts", import.meta.url).href,
    export: "openHastyStore",
    options: { dir },
  };
  try {
    const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
    const { losses } = await killWriters(store, recipe, key, 8, Math.random);
    expect(losses.filter((loss) => /acknowledged at .*, found at $/.test(loss)).length).toBeGreaterThan(0);
  } finally {
    await store.close();
    rmSync(dir, { recursive: true });
  }
});
