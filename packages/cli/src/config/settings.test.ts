import { defineAgent, offlineModel } from "@cairn/agent";
import { describe, expect, it } from "vitest";
import { CliBench } from "../cli-bench.ts";
import { loadSettings } from "./load-config.ts";
import { resolveAgent } from "./resolve-agent.ts";
import { readSettings } from "./settings.ts";

const agent = defineAgent({ name: "shop", instructions: "Sell.", model: offlineModel() });
const read = (content: unknown, env: Record<string, string> = {}) =>
  readSettings({ name: "cairn.config.json", content }, env, "/home/ada");

describe("settings", () => {
  it("have defaults: a folder beside you, the offline model", () => {
    expect(readSettings(null, {}, "/home/ada")).toEqual({
      ...{ dataDir: "/home/ada/.cairn", model: null, skills: null, instructions: null, budgets: {}, agents: [] },
    });
  });

  it("come from the file, and the environment goes before it; an empty variable is an absent one", () => {
    const file = { dataDir: "data", model: "openai:gpt-5", skills: "skills", budgets: { iterations: 3 } };
    expect(read(file)).toMatchObject({
      ...{ dataDir: "/home/ada/data", model: "openai:gpt-5", skills: "/home/ada/skills", budgets: { iterations: 3 } },
    });
    const env = { CAIRN_DATA_DIR: "/data", CAIRN_MODEL: "offline", CAIRN_SKILLS: " " };
    expect(read(file, env)).toMatchObject({ dataDir: "/data", model: "offline", skills: "/home/ada/skills" });
  });

  it("may be an agent alone, or a list of agents", () => {
    expect(read(agent).agents).toEqual([agent]);
    expect(read([agent]).agents).toEqual([agent]);
    expect(read({ agent }).agents).toEqual([agent]);
  });

  it.each<[unknown, string]>([
    [null, "cairn.config.json: must hold an object or export one as its default."],
    [3, "must hold an object"],
    [{ modle: "offline" }, 'has no setting "modle"; there are dataDir, model,'],
    [JSON.parse('{"__proto__": {}}'), 'has no setting "__proto__"'],
    [{ model: 3 }, "`model` must be a text that is not empty."],
    [{ dataDir: "" }, "`dataDir` must be a text that is not empty."],
    [{ dataDir: "a\0b" }, "`dataDir` must be"],
    [{ budgets: [] }, "`budgets` must be an object."],
    [{ budgets: { tokens: 0 } }, "`budgets.tokens` must be a number above 0."],
    [{ budgets: { token: 1 } }, '`budgets` has no "token"'],
    [{ agents: {} }, "`agents` must be a list."],
    [{ agents: [{ name: "x" }] }, "an agent needs `name`, `instructions` and a `model` that streams"],
    [[agent, agent], 'two agents are called "shop".'],
  ])("%j is refused with one clear line", (content, message) => {
    expect(() => read(content)).toThrow(
      expect.objectContaining({ code: "bad_config", message: expect.stringContaining(message) }),
    );
  });
});

describe("the configuration file", () => {
  it.each([
    ["cairn.config.json", "{", "cairn.config.json is not JSON"],
    ["cairn.config.ts", "export const a = 1;", "cairn.config.ts has no default export."],
    ["cairn.config.ts", "throw new Error('no luck');", "cairn.config.ts cannot be loaded: no luck"],
    ["cairn.config.ts", "export default = 3;", "cairn.config.ts cannot be loaded: "],
  ])("%s with %j is refused with one clear line", async (name, content, message) => {
    await using bench = await CliBench.open();
    await bench.write(name, content);
    const problem = await loadSettings({ cwd: bench.folder, env: {} }).catch((error: Error) => error.message);
    expect(problem).toContain(message);
    expect(problem).not.toContain("\n");
  });

  it("is one: two would leave it open which counts", async () => {
    await using bench = await CliBench.open();
    await bench.write("cairn.config.json", "{}");
    await bench.write("cairn.config.ts", "export default {};");
    await expect(loadSettings({ cwd: bench.folder, env: {} })).rejects.toThrow("Keep one of them");
  });
});

describe("the agent", () => {
  it("is the first that is defined, the one that is named, or the built-in one", async () => {
    const settings = read([{ ...agent, name: "first" }, agent]);
    expect((await resolveAgent(settings, {}, null)).name).toBe("first");
    expect((await resolveAgent(settings, {}, "shop")).name).toBe("shop");
    await expect(resolveAgent(settings, {}, "none")).rejects.toMatchObject({ code: "bad_config" });
    expect(await resolveAgent(readSettings(null, {}, "/"), {}, null)).toMatchObject({ name: "cairn" });
  });

  it("keeps its own model unless another is asked for", async () => {
    const own = { ...agent, model: { ...offlineModel(), id: "mine" } };
    expect((await resolveAgent(read(own), {}, null)).model.id).toBe("mine");
    expect((await resolveAgent(read(own, { CAIRN_MODEL: "offline" }), {}, null)).model.id).toBe("offline");
  });

  it("is told of its skills and of what the file adds, behind instructions that never change", async () => {
    await using bench = await CliBench.open();
    const { mkdir } = await import("node:fs/promises");
    await mkdir(`${bench.folder}/skills/letters`, { recursive: true });
    await bench.write("skills/letters/SKILL.md", "---\ndescription: How we write letters.\n---\nBe brief.");
    await bench.write("cairn.config.json", JSON.stringify({ skills: "skills", instructions: "Always say Moin." }));
    const settings = await loadSettings({ cwd: bench.folder, env: {} });
    const { instructions } = await resolveAgent(settings, {}, null);
    expect(instructions).toMatch(/^You are Cairn[\s\S]*sk:letters: How we write letters\.\n\nAlways say Moin\.$/);
  });
});
