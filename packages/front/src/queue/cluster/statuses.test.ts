import type { UnfinishedConversation } from "@cairn/store";
import { expect, it } from "vitest";
import { Statuses } from "./statuses.ts";

const key = { tenant: "local", project: "default", user: "me", conversation: "one" };

it("a conversation counts as waiting for an approval only if nobody held its lease at that time", async () => {
  /** Between the two reads, a worker takes the message, asks for approval and releases the lease. */
  const found: UnfinishedConversation[] = [
    { key, last_seq: 1, held_ms: 0 },
    { key, last_seq: 5, held_ms: 6_000 },
    { key, last_seq: 5, held_ms: 0 },
  ];
  let looked = 0;
  const statuses = new Statuses({
    async *unfinished() {
      const next = found[looked++];
      if (next !== undefined) yield next;
    },
    isAsking: async (_, seq) => (seq === 5 ? true : null),
  });
  expect(await statuses.of(key)).toBe("running");
  expect(await statuses.of(key)).toBe("waiting");
  expect(await statuses.of(key)).toBe("idle");
});
