/** Tests many concurrent requests for a large conversation, over real connections. */
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

const TS = "2026-02-09T10:00:00Z";

it("many requests for a large conversation are all answered, although few fit at a time, and clients that leave release their room", async () => {
  await using bench = await ServerBench.open({ server: { uploadMb: 0.5 } });
  const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
  const key = { ...LOCAL_SCOPE, conversation: "large" };
  const text = "text ".repeat(40_000);
  const block = (position: number) =>
    makeEvent("block.appended", { position, block: { type: "x.note", text }, tokens: 1, version: 0 });
  await store.createConversation(key, { events: Array.from({ length: 12 }, (_, nth) => block(nth)) });
  expect(await store.storedChars(key)).toBeGreaterThan(2_400_000);
  await store.close();
  // There is enough memory for two requests at a time.
  const paths = ["", "/blocks", "/timeline", "/requests", "/orders", "/read?path=fi:x"];
  const told = await Promise.all(
    Array.from({ length: 20 }, async (_, nth) => {
      const client = new AbortController();
      const answer = bench.fetch(`/api/conversations/large${paths[nth % paths.length]}`, { signal: client.signal });
      if (nth % 4 === 3) client.abort();
      return answer.then(
        (response) => response.arrayBuffer().then(() => response.status),
        () => "left",
      );
    }),
  );
  expect(told.filter((each) => each === "left").length).toBe(5);
  expect(told.filter((each) => each === 200).length).toBe(15);
});

it("a page of large turns is limited by its size, in the app and in chats, and earlier pages have the rest", async () => {
  await using bench = await ServerBench.open();
  const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
  const key = { ...LOCAL_SCOPE, conversation: "large" };
  const text = "text ".repeat(180_000);
  const turn = (n: number) => [
    makeEvent("turn.opened", { turn_id: `turn_${n}`, ts: TS }),
    makeEvent("block.appended", {
      position: n - 1,
      block: { type: "user.prompt", turn_id: `turn_${n}`, path: `ar:turn_${n}.user.prompt`, text, ts: TS },
      tokens: 1,
      version: 1,
    }),
    makeEvent("turn.closed", { turn_id: `turn_${n}`, ts: TS, exit: "complete" }),
  ];
  await store.createConversation(key, { events: Array.from({ length: 20 }, (_, nth) => turn(nth + 1)).flat() });
  await store.close();
  const shown: number[] = [];
  for (let before = 21; before > 1; before = shown[0] ?? 1) {
    const { turns, has_more } = await bench.get(`/api/conversations/large?before=${before}`);
    expect(turns.length).toBe(Math.min(8, before - 1));
    expect(has_more).toBe(before > 9);
    shown.unshift(...turns.map(({ n }: { readonly n: number }) => n));
  }
  expect(shown).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 1));
  expect((await bench.get("/api/conversations/large")).turns).toHaveLength(8);
  const asked: string[] = [];
  for (let before: string | null = "21"; before !== null; ) {
    const page: Response = await bench.fetch(`/api/chat/large${before === "21" ? "" : `?before=${before}`}`);
    const messages = await page.json();
    before = page.headers.get("cairn-before");
    asked.unshift(...messages.map(({ id }: { readonly id: string }) => id));
    expect([messages.length, before]).toEqual(
      [
        [8, "13"],
        [8, "5"],
        [4, null],
      ][Math.ceil(asked.length / 8) - 1],
    );
  }
  expect(asked).toEqual(Array.from({ length: 20 }, (_, nth) => `turn_${nth + 1}.prompt`));
});
