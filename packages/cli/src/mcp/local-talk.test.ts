import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent } from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import { readSettings } from "cairn-agent/process";
import { scriptedModel } from "cairn-agent/testing";
import { expect, it } from "vitest";
import { openAdmission } from "../chat/conversation/admission.ts";
import { localTalk } from "./local-talk.ts";

it("following a turn that has ended returns it, and leaves a message that waits to the next turn", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-local-talk-"));
  const store = await openEmbeddedStore({ dir: folder });
  try {
    const agent = defineAgent({ name: "a", instructions: "Help.", model: scriptedModel(() => ({ say: "Yes." })) });
    const opened = { agent, problems: [], [Symbol.asyncDispose]: async () => undefined };
    const admission = openAdmission(readSettings(null, { CAIRN_DATA_DIR: folder }, folder), store, opened, {});
    const key = { tenant: "local", project: "default", user: "me", conversation: "conv_1" };
    const parts = { store, agent, admission, countTokens: (text: string) => text.length };
    const talk = localTalk(parts, key, join(folder, "out"));
    const follow = (turn: string | null) => talk.follow(turn, () => undefined, new AbortController().signal);
    await talk.send("One");
    const { turn: first } = await follow(null);
    expect(first).not.toBeNull();
    await talk.send("Two");
    expect(await follow(first)).toEqual({ status: "ended", turn: first });
    expect((await store.load(key)).state.pendingInputs.size).toBe(1);
    const { turn: second } = await follow(null);
    expect([second === null, second === first]).toEqual([false, false]);
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
});
