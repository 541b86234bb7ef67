/**
 * Tests that no text cites a source that it could not have seen, even if calls run at the same time, crash or are
 * forked.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { patience } from "@cairn/testkit/patience";
import { bySize } from "@cairn/testkit/runs";
import { ManualClock } from "@cairn/testkit/store";
import { holdCitationLaw } from "@cairn/testkit/turns";
import { afterAll, beforeAll, describe, it } from "vitest";

describe("texts of turns that search and write at the same time, crash and are forked", { timeout: patience }, () => {
  const clock = new ManualClock();
  let folder = "";
  let store: EmbeddedStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-cited-"));
    store = await openEmbeddedStore({ dir: join(folder, "data"), clock, sync: "off" });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("cite exactly the sources that they name and that their request showed", async () => {
    await holdCitationLaw({ store, clock, folder: join(folder, "out") }, bySize({ quick: 5, usual: 20, long: 3_000 }));
  });
});
