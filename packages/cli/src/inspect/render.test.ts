/**
 * Tests that `cairn render` prints a past request exactly as it was sent to the provider, and the next request as it
 * would be sent.
 */
import { join } from "node:path";
import { resolveModel } from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import type { MessageReply } from "@cairn/testkit/models";
import { ReplayedTrace, type Trace } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { describe, expect, it } from "vitest";
import { AGENT, CliBench } from "../../test/cli-bench.ts";

const SMALL = { seconds: 5, notes_tokens: 20, call_tokens: 30, result_tokens: [1_500, 900], new_sources: 2 };
const turn = { pause_seconds: 400, prompt_tokens: 40, rounds: [SMALL, SMALL, SMALL, SMALL], answer_tokens: 60 };
const trace: Trace = {
  system_tokens: 1_500,
  tools_tokens: 1_500,
  turns: [
    { ...turn, restart_after_round: null },
    { ...turn, restart_after_round: 1 },
  ],
};

describe.each(["anthropic:claude-sonnet-5", "openai:gpt-6.1-sol"])("a conversation with %s", (model) => {
  it("prints every request byte for byte, compactions and forks included, without a key", async () => {
    await using replayed = await ReplayedTrace.open(trace, { model, contextTokens: 12_500 });
    await replayed.run();
    const cli = CliBench.in(replayed.folder);
    const sent = replayed.simulator.requests;
    // Ten decisions, and the requests of a compaction.
    expect(sent.length).toBeGreaterThan(10);
    expect(
      sent.some(({ request }) => request?.maxTokens === 1_000),
      "a summary was asked for",
    ).toBe(true);
    for (const { nth, bytes } of sent) {
      const ran = await cli.run(["render", "trace", "--request", String(nth)]);
      expect({ nth, ...ran }).toEqual({ nth, code: 0, signal: null, stdout: bytes, stderr: "" });
    }
    await cli.run(["fork", "trace", "copy"]);
    expect((await cli.run(["render", "copy", "--request", "2"])).stdout).toBe(sent[1]?.bytes);
    const told = await cli.run(["render", "trace", "--request", "2", "--json"]);
    expect(JSON.parse(told.stdout)).toMatchObject({
      request: 2,
      model,
      wire: { same: true, difference: null },
      receipt: {
        cache: { predicted_read: sent[1]?.usage?.read },
        sent: { bytes: Buffer.byteLength(sent[1]?.bytes ?? "") },
      },
    });
    const { stdout } = await cli.run(["render", "trace", "--request", "2", "--text"]);
    expect(stdout).toMatch(/^\[SYSTEM\]\n[\s\S]*\[TOOLS\]\n\[\{"name":"ask_user"[\s\S]*trace__look[\s\S]*=>\[/);
  });
});

it("pictures and documents are serialised from the stored bytes", async () => {
  await using replayed = await ReplayedTrace.open({ ...trace, turns: [] }, { model: "anthropic:claude-sonnet-5" });
  const { store, key } = replayed;
  const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n%%EOF");
  const { ref } = await store.putBlob(key, [pdf]);
  const attachments = [{ name: "a.pdf", mime: "application/pdf", blob: ref, size_bytes: pdf.length }];
  const input = { key: "with", mode: "turn" as const, message: "See.", attachments, ts: "2026-10-01T08:00:00Z" };
  await store.append(key, [makeEvent("input.received", input)]);
  await replayed.turn("Later.", [{ text: "Seen." }]);
  const { bytes = "" } = replayed.simulator.requests.at(-1) ?? {};
  expect(bytes).toContain(pdf.toString("base64"));
  const cli = CliBench.in(replayed.folder);
  expect((await cli.run(["render", "trace", "--request", "1"])).stdout).toBe(bytes);
});

it("says when the bytes differ from those that were sent, and what serialised them", async () => {
  await using replayed = await ReplayedTrace.open({ ...trace, turns: [] }, { model: "anthropic:claude-sonnet-5" });
  const say: MessageReply = { text: "Done." };
  const older = await resolveModel("anthropic:claude-sonnet-5", {
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: replayed.simulator.baseUrl,
  });
  const model: typeof older = {
    ...older,
    stream: (request, { onSent, ...options }) =>
      older.stream(request, {
        ...options,
        onSent: (sent) => onSent?.({ ...sent, body: `${sent.body} `, speller: "@ai-sdk/anthropic 1.0.0" }),
      }),
  };
  await replayed.turn("One.", [say], { agent: { model } });
  await replayed.turn("Two.", [say], { agent: { model: { ...model, id: "mine" } } });
  const cli = CliBench.in(replayed.folder);
  const ran = await cli.run(["render", "trace", "--request", "1"]);
  expect(ran).toMatchObject({ code: 1, stdout: replayed.simulator.requests[0]?.bytes });
  expect(ran.stderr).toMatch(
    /not the bytes that request 1 sent: it was serialised by @ai-sdk\/anthropic 1\.0\.0, and now by/,
  );
  const unknown = await cli.run(["render", "trace", "--request", "2"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toMatch(/cannot be rebuilt as it was sent to mine/);
  expect(await cli.run(["render", "trace", "--request", "2", "--text"])).toMatchObject({ code: 0 });
});

it("shows the next request with the agent and the model that the message of the open turn asked for", async () => {
  await using cli = await CliBench.open();
  await cli.write(
    "cairn.config.ts",
    `import { defineAgent, offlineModel, reactTools } from ${JSON.stringify(AGENT)};
const model = offlineModel();
export default [
  defineAgent({ name: "first", instructions: "Be first.", model }),
  defineAgent({ name: "second", instructions: "Be second.", model, tools: reactTools(), policies: { "react.*": "refuse", "react.read": "allow" } }),
];`,
  );
  const key = { ...LOCAL_SCOPE, conversation: "c" };
  const store = await openEmbeddedStore({ dir: join(cli.folder, ".cairn") });
  await store.createConversation(key);
  const { token, last_timeline_seq } = await store.acquireLease(key, "a worker that died", 10_000);
  const choice = { agent: "second", model: "anthropic:claude-sonnet-5" };
  const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "2026-10-01T08:00:00Z", ...choice });
  await store.append(key, [opened], { lease: { token, expectedSeq: last_timeline_seq } });
  await store.close();
  const env = { CAIRN_MODELS: choice.model };
  const { stdout, stderr } = await cli.run(["render", "c", "--json"], { env });
  expect(stderr).toBe("");
  const { model, system, tools } = JSON.parse(stdout);
  expect([model, system, tools.map(({ name }: { name: string }) => name)]).toEqual([
    choice.model,
    "Be second.",
    ["ask_user", "react.read", "suggest_followups"],
  ]);
});

it("says that the hooks of the agent did not run for the next request", async () => {
  await using cli = await CliBench.open();
  const hook = `{ beforeRequest: () => { throw new Error("The hook ran."); } }`;
  await cli.write(
    "cairn.config.ts",
    `import { defineAgent, offlineModel } from ${JSON.stringify(AGENT)};
export default [defineAgent({ name: "a", instructions: "Be brief.", model: offlineModel(), hooks: ${hook} })];`,
  );
  const store = await openEmbeddedStore({ dir: join(cli.folder, ".cairn") });
  await store.createConversation({ ...LOCAL_SCOPE, conversation: "c" });
  await store.close();
  const { code, stdout, stderr } = await cli.run(["render", "c"]);
  expect([code, stderr]).toEqual([
    0,
    "The hooks of the agent did not run, so the request lacks notices that they may add.\n",
  ]);
  expect(stdout).not.toContain("hook");
});
