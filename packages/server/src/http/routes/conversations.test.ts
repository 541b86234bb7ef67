/** Tests the list of conversations and its search with many conversations. */

import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { describe, expect, it } from "vitest";
import { ServerBench } from "../../../test/server-bench.ts";

/** More conversations than one page of the search by title contains. */
const MANY = 210;

interface Listed {
  readonly conversation_id: string;
  readonly title: string | null;
  readonly snippet?: string;
}

/** Reads all pages of an answer. No page may be longer than requested. */
async function pages(bench: ServerBench, query: string, limit: number): Promise<readonly Listed[]> {
  const all: Listed[] = [];
  for (let cursor = ""; ; ) {
    const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await bench.get(`/api/conversations?${query}&limit=${limit}${from}`);
    expect(page.conversations.length).toBeLessThanOrEqual(limit);
    all.push(...page.conversations);
    if (page.next_cursor === null) return all;
    expect(page.conversations.length).toBeGreaterThan(0);
    cursor = page.next_cursor;
  }
}

describe("a search in many conversations", () => {
  it("finds every title of any age, then every text, and returns at most the requested number", async () => {
    await using bench = await ServerBench.open();
    const told = await bench.converse();
    await bench.say(told, "The zebra crossed the river");
    const both = await bench.converse();
    for (let n = 0; n < 3; n++) await bench.say(both, `A zebra again, time ${n}`);
    const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
    const name = (conversation: string, title: string) =>
      store.createConversation(
        { ...LOCAL_SCOPE, conversation },
        { events: [makeEvent("meta.set", { conversation_title: title })] },
      );
    await name("first", "Zebra and giraffe");
    for (let n = 0; n < MANY; n++) await name(`n${n}`, n % 50 === 0 ? `A zèbra, number ${n}` : `Number ${n}`);
    await store.close();
    const rename = (id: string, title: string) =>
      bench.fetch(`/api/conversations/${id}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title }),
      });
    await rename(told, "By the river");
    await rename(both, "Zebra, named");

    const named = [both, "n200", "n150", "n100", "n50", "n0", "first"];
    for (const limit of [1, 3, 7, 50]) {
      const found = await pages(bench, "q=zebra", limit);
      expect([limit, found.map(({ conversation_id }) => conversation_id)]).toEqual([limit, [...named, told]]);
      expect(found.at(-1)?.snippet).toContain("zebra crossed");
    }
    expect((await pages(bench, "q=giraffe", 50)).map(({ title }) => title)).toEqual(["Zebra and giraffe"]);
    expect(await pages(bench, "q=", 200)).toHaveLength(MANY + 3);
    expect((await pages(bench, "q=number", 20)).length).toBe(MANY);
    for (const cursor of ["x", "titles:x", "titles:1:x", "texts:x", "titles:"]) {
      const { status } = await bench.fetch(`/api/conversations?q=zebra&cursor=${cursor}`);
      expect([cursor, status]).toEqual([cursor, cursor === "titles:" ? 200 : 400]);
    }
  });
});
