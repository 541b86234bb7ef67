/** Tests models, agents and titles that earlier versions stored in artifacts and not in the journal. */
import { join } from "node:path";
import { defineAgent, offlineModel, reactTools } from "@cairn/agent";
import { type ConversationKey, type ConversationStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { describe, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

const agents = ["first", "second"].map((name) =>
  defineAgent({ name, instructions: "You help.", model: { ...offlineModel(), id: name }, tools: reactTools() }),
);
const TS = "2026-02-09T10:00:00Z";

/** Stops the server while `write` stores data in the form of an earlier version. */
async function asEarlier(
  bench: ServerBench,
  conversation: string,
  write: (store: ConversationStore, key: ConversationKey) => Promise<unknown>,
): Promise<void> {
  await bench.stop();
  const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
  await write(store, { ...LOCAL_SCOPE, conversation });
  await store.close();
  await bench.start();
}

const modelsOf = async (bench: ServerBench, id: string): Promise<string[]> => {
  const { requests } = await bench.get(`/api/conversations/${id}/requests`);
  return requests.map(({ model }: { readonly model: string }) => model);
};
const rename = (bench: ServerBench, id: string, title: string) =>
  bench.fetch(`/api/conversations/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title }),
  });
const titleOf = async (bench: ServerBench, id: string) =>
  (await bench.get(`/api/conversations/${id}`)).conversation.title;

describe("a message that an earlier version received", () => {
  it("is answered by the agent that it asked for", async () => {
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await asEarlier(bench, id, async (store, key) => {
      await store.saveArtifact(key, {
        kind: "turn.choice",
        turn_id: "turn_1",
        payload: { model: null, agent: "second" },
      });
      const input = { key: "i", mode: "turn" as const, message: "Hello", attachments: [], ts: TS, turn_id: "turn_1" };
      await store.append(key, [makeEvent("input.received", input)]);
    });
    await bench.until(id, ({ event }) => event === "turn.closed");
    await bench.say(id, "Hello again");
    expect(await modelsOf(bench, id)).toEqual(["second", "first"]);
  });
});

describe("a title that an earlier version left beside the journal", () => {
  it("is shown after the next turn, and a later one replaces it for good", async () => {
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await asEarlier(bench, id, (store, key) =>
      store.saveArtifact(key, { kind: "title.wanted", payload: { title: "Wanted" } }),
    );
    await bench.say(id, "Hello");
    expect(await titleOf(bench, id)).toBe("Wanted");
    await rename(bench, id, "Later");
    await bench.say(id, "Hello again");
    expect(await titleOf(bench, id)).toBe("Later");
  });

  it("does not replace a title that is given before the next turn", async () => {
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await asEarlier(bench, id, (store, key) =>
      store.saveArtifact(key, { kind: "title.wanted", payload: { title: "Wanted" } }),
    );
    await rename(bench, id, "Later");
    await bench.say(id, "Hello");
    expect(await titleOf(bench, id)).toBe("Later");
  });

  it("is not taken up if the earlier version wrote it to the journal", async () => {
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await asEarlier(bench, id, async (store, key) => {
      const wanted = await store.saveArtifact(key, { kind: "title.wanted", payload: { title: "Wanted" } });
      await store.saveArtifact(key, { kind: "title.landed", payload: { wanted: wanted.id } });
    });
    await bench.say(id, "Hello");
    expect(await titleOf(bench, id)).toBe("Hello");
  });
});

describe("a message that asks for an agent or a model", () => {
  it("asks for them again in a fork that sends it again", async () => {
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await bench.say(id, "Hello");
    const { turns } = await bench.say(id, "Hello again", { agent: "second", model: "first" });
    const at = { turn_id: turns[1].turn_id, edge: "before" };
    const { conversation_id } = await bench.post(`/api/conversations/${id}/fork`, { at, resend: true });
    await bench.until(conversation_id, ({ event, data }) => event === "turn.opened" && data.body.agent === "second");
    expect(await modelsOf(bench, id)).toEqual(["first", "first"]);
  });

  it("writes both to the journal and nothing beside it", async () => {
    await using bench = await ServerBench.open({ agents });
    const id = await bench.converse();
    await bench.say(id, "Hello", { agent: "second", model: "first" });
    await rename(bench, id, "Mine");
    await asEarlier(bench, id, async (store, key) => {
      const saved = await store.recent(key, { kinds: ["turn.choice", "title.wanted", "title.landed"], limit: 9 });
      expect(saved).toEqual([]);
      const asked = (await store.readEvents(key)).flatMap(({ event }) =>
        "unknown" in event || (event.kind !== "input.received" && event.kind !== "turn.opened")
          ? []
          : [[event.kind, event.v, event.body.agent, event.body.model]],
      );
      expect(asked).toEqual([
        ["input.received", 2, "second", "first"],
        ["turn.opened", 2, "second", "first"],
      ]);
    });
  });
});
