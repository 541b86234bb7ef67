import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { expect, test } from "vitest";
import { findTitles } from "./find-titles.ts";

test("a conversation is found by the words of its title, in any case and spelling, in its own scope only", async () => {
  const dir = await mkdtemp(join(tmpdir(), "cairn-titles-"));
  const store = await openEmbeddedStore({ dir });
  try {
    const scope = { tenant: "t", project: "p", user: "ada" };
    for (const [conversation, title] of Object.entries({ a: "Zürich im März", b: "Birds by the weir", c: null }))
      await store.createConversation(
        { ...scope, conversation },
        { events: title === null ? [] : [makeEvent("meta.set", { conversation_title: title })] },
      );
    const find = async (words: string, user = "ada") => {
      const options = { limit: 50, signal: new AbortController().signal };
      const { found } = await findTitles(store, { ...scope, user }, words, options);
      return found.map(({ conversation }) => conversation);
    };
    expect(await find("MARZ zuri")).toEqual(["a"]);
    expect(await find("weir birds")).toEqual(["b"]);
    expect(await find("weir birds owls")).toEqual([]);
    expect(await find("  ")).toEqual([]);
    expect(await find("birds", "bob")).toEqual([]);
  } finally {
    await store.close();
    await rm(dir, { recursive: true });
  }
});
