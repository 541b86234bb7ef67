import type { AppendOptions, ConversationKey } from "@cairn/store";
import type { TimelineEvent } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstDifference, operations, Player } from "./compare-stores.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { ManualClock } from "./suite/opened-store.ts";

/** A faulty store: it accepts a writer that expects a different position, so updates can be lost. */
class CarelessStore extends MemoryStore {
  override async append(key: ConversationKey, events: readonly TimelineEvent[], options: AppendOptions = {}) {
    const { last_timeline_seq: expectedSeq } = await this.getConversation(key);
    const lease = options.lease === undefined ? {} : { lease: { ...options.lease, expectedSeq } };
    return super.append(key, events, { ...options, ...lease });
  }
}

describe("comparing two stores", () => {
  const differs = async (make: (clock: ManualClock) => MemoryStore) =>
    fc.check(
      fc.asyncProperty(operations, async ([list, script]) => {
        const clocks = [new ManualClock(), new ManualClock()] as const;
        const one = new Player(make(clocks[0]), clocks[0], script, "");
        const two = new Player(new MemoryStore(clocks[1]), clocks[1], script, "");
        return (await firstDifference(list, one, two)) === null;
      }),
      { numRuns: 150, endOnFailure: true },
    );

  it("finds no difference between two stores of the same kind", async () => {
    expect((await differs((clock) => new MemoryStore(clock))).failed).toBe(false);
  });

  it("finds a store that forgets to check the writer's position", async () => {
    expect((await differs((clock) => new CarelessStore(clock))).failed).toBe(true);
  });
});
