/** Tests versions of turns over the real server, with simulated providers. */
import { type AgentDefinition, defineAgent, reactTools, resolveModel } from "@cairn/agent";
import { ModelSimulator } from "@cairn/testkit/models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
/** More tokens than a provider's minimum size of a cached prefix. */
const LONG = "A long rule that every request repeats, so that the cache has something to keep. ".repeat(120);
const MODELS = { anthropic: "anthropic:claude-sonnet-5", openai: "openai:gpt-5.2" };

let simulator: ModelSimulator;
let bench: ServerBench;

beforeAll(async () => {
  simulator = await ModelSimulator.start({ countTokens });
  simulator.script([{ reply: { text: "An answer." }, times: 10_000 }]);
  const env = {
    ANTHROPIC_API_KEY: "test",
    ANTHROPIC_BASE_URL: simulator.baseUrl,
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: simulator.baseUrl,
  };
  const agents: AgentDefinition[] = [];
  for (const [name, model] of Object.entries(MODELS))
    agents.push(defineAgent({ name, instructions: LONG, model: await resolveModel(model, env), tools: reactTools() }));
  bench = await ServerBench.open({ agents });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await simulator?.close();
});

interface Turn {
  readonly turn_id: string;
  readonly prompt: { readonly text: string };
}

interface Request {
  readonly turn_id: string;
  readonly usage: { readonly cache_read_tokens: number; readonly cache_write_tokens: number };
  readonly predicted_read: number;
}

async function threeTurns(agent = "anthropic"): Promise<{ id: string; turns: Turn[] }> {
  const id = await bench.converse(agent);
  await bench.say(id, `First ${LONG}`);
  await bench.say(id, `Second ${LONG}`);
  const { turns } = await bench.say(id, "Third");
  return { id, turns };
}

async function branch(id: string, body: object): Promise<string> {
  const made = await bench.post(`/api/conversations/${id}/branch`, body);
  const isEnd = ({ event, data }: { event: string; data: { body: { turn_id: string } } }) =>
    event === "turn.closed" && data.body.turn_id === made.turn_id;
  await bench.until(made.conversation_id, isEnd);
  return made.conversation_id;
}

const read = (id: string) => bench.get(`/api/conversations/${id}`);
const promptsOf = async (id: string) => (await read(id)).turns.map(({ prompt }: Turn) => prompt.text.slice(0, 6));
const requestsOf = async (id: string): Promise<Request[]> =>
  (await bench.get(`/api/conversations/${id}/requests`)).requests;

const name = async (which: string, number: number, text: string) => {
  const path = `/api/conversations/${which}/versions/${number}`;
  const headers = { "content-type": "application/json" };
  return (await bench.fetch(path, { method: "PATCH", headers, body: JSON.stringify({ name: text }) })).status;
};

/** The provider reports sizes only up to its breakpoints. Sizes between them are computed from Cairn's own count. */
function expectPredicted(request: Request | undefined): void {
  const { usage, predicted_read } = request ?? { usage: { cache_read_tokens: -1 }, predicted_read: 0 };
  const off = Math.abs(usage.cache_read_tokens - predicted_read) / usage.cache_read_tokens;
  expect(off).toBeLessThan(0.005);
}

describe("a branch", () => {
  it("is refused with attachments but no message, and with more attachments than a message may have", async () => {
    const id = await bench.converse("anthropic");
    const files = (count: number) =>
      Array.from({ length: count }, (_, nth) => ({ name: `${nth}.txt`, mime: "text/plain", data: btoa("x") }));
    const { turns } = await bench.say(id, "Read this", { attachments: files(11) });
    const before = turns[0]?.turn_id;
    const refused = async (body: object) =>
      (await bench.post(`/api/conversations/${id}/branch`, { before, ...body })).error?.code;
    expect(await refused({ message: null, attachments: files(1) })).toBe("bad_request");
    expect(await refused({ message: "And these", attachments: files(10) })).toBe("too_large");
    expect((await bench.get(`/api/conversations/${id}/branches`)).branches).toHaveLength(1);
  });

  it("keeps the attachments of the turn's message and adds new ones, or is not made at all", async () => {
    const id = await bench.converse("anthropic");
    const file = (name: string, text: string) => ({ name, mime: "text/plain", data: btoa(text) });
    const { turns } = await bench.say(id, "Read this", { attachments: [file("a.txt", "first")] });
    const before = turns[0]?.turn_id;
    const made = await branch(id, { before, message: "And this", attachments: [file("b.txt", "second")] });
    const [turn] = (await read(made)).turns;
    expect(turn.attachments.map(({ name }: { name: string }) => name)).toEqual(["a.txt", "b.txt"]);
    const added = await bench.fetch(`/api/conversations/${made}/files/${turn.attachments[1].physical_path}`);
    expect(await added.text()).toBe("second");
    const { files } = await bench.get(`/api/conversations/${made}/files`);
    expect(files.map(({ versions: [first] }: { versions: { turn: number }[] }) => first?.turn)).toEqual([1, 1]);
    const { error } = await bench.post(`/api/conversations/${id}/branch`, { before, model: "unknown:model" });
    expect(error.code).toBe("bad_model");
    expect((await bench.get(`/api/conversations/${id}/branches`)).branches).toHaveLength(2);
  });

  it("asks for the reasoning that the version names, or else for that of the message", async () => {
    const id = await bench.converse("anthropic");
    const { turns } = await bench.say(id, "Think", { reasoning: { effort: "low" } });
    const before = turns[0]?.turn_id;
    await branch(id, { before });
    await branch(id, { before, reasoning: { effort: "high" } });
    const efforts = simulator.requests.slice(-3).map(({ body }) => body?.output_config);
    expect(efforts).toEqual(["low", "low", "high"].map((effort) => ({ effort })));
  });

  it("answers a turn's message again, or another one, and leaves the conversation as it is", async () => {
    const { id, turns } = await threeTurns();
    const before = turns[1]?.turn_id;
    const again = await branch(id, { before });
    const edited = await branch(id, { before, message: "Edited" });
    expect(await promptsOf(again)).toEqual(["First ", "Second"]);
    expect(await promptsOf(edited)).toEqual(["First ", "Edited"]);
    expect((await read(id)).turns).toEqual(turns);
    const conversations = [id, again, edited];
    expect((await read(edited)).versions).toEqual([{ turn: 2, conversations, current: 2 }]);
    expect((await read(id)).versions).toEqual([{ turn: 2, conversations, current: 0 }]);
    const { title } = (await read(id)).conversation;
    expect((await read(edited)).conversation.title).toBe(title);
    // A version that is made from a version is a version of the same turn.
    const third = await branch(edited, { before: (await read(edited)).turns[1].turn_id, message: "Third edit" });
    expect((await read(third)).versions).toEqual([{ turn: 2, conversations: [...conversations, third], current: 3 }]);
    const { branches } = await bench.get(`/api/conversations/${id}/branches`);
    expect(branches.map((each: { conversation_id: string }) => each.conversation_id)).toEqual([
      ...conversations,
      third,
    ]);
    expect(branches[3]).toMatchObject({ listed: true, branched_from: { conversation_id: edited } });
  });

  it("has a name for its version of a turn, which later branches of it share and which leaves the title alone", async () => {
    const { id, turns } = await threeTurns();
    const again = await branch(id, { before: turns[1]?.turn_id });
    const { title } = (await read(again)).conversation;
    const namesOf = async (which: string) => {
      const { branches } = await bench.get(`/api/conversations/${id}/branches`);
      return branches.find((each: { conversation_id: string }) => each.conversation_id === which).names;
    };
    expect(await name(again, 2, "Shorter")).toBe(204);
    expect(await name(again, 9, "None")).toBe(404);
    expect(await namesOf(again)).toEqual([{ turn: 2, name: "Shorter" }]);
    expect(await namesOf(id)).toEqual([]);
    expect((await read(again)).conversation.title).toBe(title);
    await bench.say(again, "Go on");
    const later = await branch(again, { before: (await read(again)).turns[2].turn_id, message: "Go on otherwise" });
    expect(await namesOf(later)).toEqual([{ turn: 2, name: "Shorter" }]);
    const other = await branch(again, { before: (await read(again)).turns[1].turn_id });
    expect(await namesOf(other)).toEqual([]);
    await name(again, 2, "");
    expect(await namesOf(again)).toEqual([]);
  });

  it("keeps a title that was given after the cut", async () => {
    const { id, turns } = await threeTurns();
    const name = (which: string, title: string) =>
      bench.fetch(`/api/conversations/${which}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title }),
      });
    await name(id, "Named");
    const once = await branch(id, { before: turns[2]?.turn_id });
    expect((await read(once)).conversation.title).toBe("Named");
    await name(once, "Renamed");
    const twice = await branch(once, { before: (await read(once)).turns[2].turn_id });
    expect((await read(twice)).conversation.title).toBe("Renamed");
  });

  it("is one entry in the list, remembers which version was shown, and is deleted alone or with all", async () => {
    const { id, turns } = await threeTurns();
    const other = await branch(id, { before: turns[2]?.turn_id, message: "Other" });
    const entries = async () =>
      (await bench.get("/api/conversations")).conversations.map(
        (each: { conversation_id: string }) => each.conversation_id,
      );
    const own = async () => (await entries()).filter((each: string) => each === id || each === other);
    expect(await own()).toEqual([other]);
    expect((await bench.fetch(`/api/conversations/${id}/show`, { method: "POST" })).status).toBe(204);
    expect(await own()).toEqual([id]);
    expect((await read(id)).listed).toBe(true);
    const drop = (which: string, versions: string) =>
      bench.fetch(`/api/conversations/${which}?versions=${versions}`, { method: "DELETE" });
    expect((await drop(id, "this")).status).toBe(204);
    expect(await own()).toEqual([other]);
    expect(await promptsOf(other)).toEqual(["First ", "Second", "Other"]);
    expect((await read(other)).versions).toEqual([]);
    await branch(other, { before: turns[0]?.turn_id, message: "Begin again" });
    expect((await drop(other, "all")).status).toBe(204);
    expect(await own()).toEqual([]);
    expect((await bench.fetch(`/api/conversations/${other}`)).status).toBe(404);
  });

  it("is exported and imported with its tree", async () => {
    const { id, turns } = await threeTurns();
    const other = await branch(id, { before: turns[2]?.turn_id, message: "Other" });
    await name(other, 3, "The other one");
    const file = await (await bench.fetch(`/api/conversations/${other}/export`)).text();
    const init = { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: file };
    const made = await (await bench.fetch("/api/import", init)).json();
    const copy = await read(made.conversation_id);
    expect(copy.versions).toMatchObject([{ turn: 3, current: 1 }]);
    expect(await promptsOf(copy.versions[0].conversations[0])).toEqual(["First ", "Second", "Third"]);
    const { branches } = await bench.get(`/api/conversations/${made.conversation_id}/branches`);
    expect(branches.flatMap(({ names }: { names: unknown[] }) => names)).toEqual([{ turn: 3, name: "The other one" }]);
  });

  it("is refused for a turn, a conversation or a model that is not there", async () => {
    const { id, turns } = await threeTurns();
    const post = (which: string, body: object) => bench.post(`/api/conversations/${which}/branch`, body);
    expect(await post(id, { before: "turn_x" })).toMatchObject({ error: { code: "not_found" } });
    expect(await post("conv_x", { before: "turn_x" })).toMatchObject({ error: { code: "not_found" } });
    const before = turns[0]?.turn_id;
    expect(await post(id, { before, model: "none:such" })).toMatchObject({ error: { code: expect.any(String) } });
    expect((await read(id)).versions).toEqual([]);
  });

  it.each(Object.keys(MODELS))("reads what the trunk left in the cache of %s, as predicted", async (agent) => {
    const { id, turns } = await threeTurns(agent);
    const trunk = (await requestsOf(id)).at(-1);
    const stable = (trunk?.usage.cache_read_tokens ?? 0) + (trunk?.usage.cache_write_tokens ?? 0);
    for (const body of [{}, { message: "Third, but edited" }, {}]) {
      const made = await branch(id, { before: turns[2]?.turn_id, ...body });
      const first = (await requestsOf(made)).at(-1);
      expect(first?.usage.cache_read_tokens).toBeGreaterThanOrEqual(0.99 * stable);
      if (agent === "anthropic") expectPredicted(first);
    }
    const fromTheStart = await branch(id, { before: turns[0]?.turn_id, message: "Begin again" });
    const first = (await requestsOf(fromTheStart))[0];
    expect(first?.usage.cache_read_tokens).toBeGreaterThan(1_000);
    // Only the tools and the instructions are shared, and no receipt reports their size alone.
    if (agent === "anthropic")
      expect(first?.predicted_read).toBeGreaterThan(0.95 * (first?.usage.cache_read_tokens ?? 0));
  });
});
