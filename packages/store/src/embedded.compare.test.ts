import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bySize } from "@cairn/testkit/runs";
import { firstDifference, ManualClock, MemoryStore, operations, Player } from "@cairn/testkit/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";

const HOUR = 3_600_000;

it("answers every sequence of operations as the reference store does", { timeout: 3 * HOUR }, async () => {
  const dir = mkdtempSync(join(tmpdir(), "cairn-compare-"));
  let at = 0;
  // `sync` is off, because other tests prove durability and waiting for the disk takes nine tenths of a run.
  const [clock, twin] = [new ManualClock(), new ManualClock()];
  const store = await openEmbeddedStore({ dir, clock, sync: "off" });
  try {
    await fc.assert(
      fc.asyncProperty(operations, async ([list, script]) => {
        const prefix = `${++at}-`;
        clock.tick(1);
        twin.tick(clock.now() - twin.now());
        const one = new Player(store, clock, script, prefix);
        const two = new Player(new MemoryStore(twin), twin, script, prefix);
        expect(await firstDifference(list, one, two)).toBeNull();
        await one.clear();
      }),
      // Each run makes some twenty calls on each store, so the long size has a tenth of the usual runs.
      { numRuns: bySize({ quick: 12, usual: 50, long: 10_000 }) },
    );
  } finally {
    await store.close();
    rmSync(dir, { recursive: true });
  }
});
