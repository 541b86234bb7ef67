/** Tests the items that wait for a follower in its mailbox, and the events that wait in the journal. */
import type { EmbeddedStore, StoredEvent } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { type LiveItem, sizeOfItem } from "./live-item.ts";
import { Mailbox } from "./mailbox.ts";
import { missedEvents } from "./missed-events.ts";

const key = { tenant: "t", project: "p", user: "u", conversation: "c" };

describe("the events that a follower has missed", () => {
  const stored = (seq: number, text: string): StoredEvent => {
    const block = { type: "react.tool.result", turn_id: "turn_1", text };
    const event = makeEvent("block.appended", { position: seq - 1, version: 0, tokens: 1, block });
    return { seq, stored_at: 0, event };
  };
  /** Reads a whole journal; returns the seqs and the sizes of the pages. */
  const pagesOf = async (journal: readonly StoredEvent[], after: number, upTo: number) => {
    const readEvents: EmbeddedStore["readEvents"] = async (_key, { after: from = 0, limit = 0 } = {}) =>
      journal.slice(from, from + limit);
    const pages = await Array.fromAsync(missedEvents({ readEvents }, key, after, upTo));
    return { seqs: pages.flat().map(({ seq }) => seq), sizes: pages.map(({ length }) => length) };
  };

  it("is read in few pages where events are small, and one by one where they are large", async () => {
    const small = Array.from({ length: 1_000 }, (_, index) => stored(index + 1, "x"));
    const quick = await pagesOf(small, 3, 990);
    expect(quick.seqs).toEqual(small.slice(3, 990).map(({ seq }) => seq));
    expect(quick.sizes.length).toBeLessThan(10);
    const mixed = [
      ...small.slice(0, 200),
      ...Array.from({ length: 100 }, (_, n) => stored(201 + n, "x".repeat(600_000))),
    ];
    const { seqs, sizes } = await pagesOf(mixed, 150, 300);
    expect(seqs).toEqual(mixed.slice(150).map(({ seq }) => seq));
    expect(Math.max(...sizes.slice(-50))).toBe(1);
  });
});

describe("a mailbox", () => {
  it("takes one item of any size, and holds at most a million characters of several items", () => {
    const mailbox = new Mailbox();
    const put = (characters: number) => {
      const item: LiveItem = { type: "progress", call_id: "c", text: "x".repeat(characters) };
      mailbox.put(item, sizeOfItem(item));
    };
    put(5_000_000);
    expect([mailbox.isLagging, mailbox.take().length]).toEqual([false, 1]);
    for (let n = 0; n < 2; n++) put(400_000);
    expect(mailbox.isLagging).toBe(false);
    put(400_000);
    expect([mailbox.isLagging, mailbox.take()]).toEqual([true, []]);
  });
});
