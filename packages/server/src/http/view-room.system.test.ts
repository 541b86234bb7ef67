/** Many requests for a large conversation at once, over real connections. */
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

it("many requests for a large conversation are all answered, though there is room for few, and clients that leave free theirs", async () => {
  await using bench = await ServerBench.open({ server: { uploadMb: 0.5 } });
  const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
  const key = { ...LOCAL_SCOPE, conversation: "large" };
  const text = "text ".repeat(40_000);
  const block = (position: number) =>
    makeEvent("block.appended", { position, block: { type: "x.note", text }, tokens: 1, version: 0 });
  await store.createConversation(key, { events: Array.from({ length: 12 }, (_, nth) => block(nth)) });
  expect(await store.storedChars(key)).toBeGreaterThan(2_400_000);
  await store.close();
  // There is room for two at a time.
  const paths = ["", "/blocks", "/timeline", "/requests", "/read?path=fi:x"];
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
