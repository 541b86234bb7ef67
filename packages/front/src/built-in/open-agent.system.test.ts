/** Tests the agent that a command opens, and what the built-in agent can do without any configuration. */
import { fileURLToPath } from "node:url";
import { defineAgent, offlineModel, withFoundTools } from "@cairn/agent";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder-with.ts";
import { LOCAL_SCOPE } from "../data/local-data.ts";
import { loadSettings } from "../settings/load-config.ts";
import { readSettings } from "../settings/settings.ts";
import { openAgent } from "./open-agent.ts";

const MCP_SERVER = fileURLToPath(new URL("../../../tools/test/test-server.ts", import.meta.url));
const agent = defineAgent({ name: "shop", instructions: "Sell.", model: offlineModel() });

const read = (content: unknown, env: Record<string, string> = {}) =>
  readSettings({ name: "cairn.config.json", content }, env, "/home/ada");

async function opened(content: unknown, env: Record<string, string> = {}, name: string | null = null) {
  await using found = await openAgent(read(content, env), env, name);
  return found.agent;
}

const idsOf = async (content: unknown) => (await opened(content)).tools?.map(({ id }) => id) ?? [];

const WEB = ["web_tools.web_fetch", "web_tools.web_search"];
const DOCUMENTS = ["pdf", "png", "docx", "pptx"].map((kind) => `rendering_tools.write_${kind}`);
const PROGRAMS = ["python", "js"].map((language) => `exec_tools.execute_code_${language}`);

describe("the agent", () => {
  it("is the named agent, or else the first defined agent, or else the built-in one", async () => {
    const agents = [{ ...agent, name: "first" }, agent];
    expect((await opened(agents)).name).toBe("first");
    expect((await opened(agents, {}, "shop")).name).toBe("shop");
    await expect(opened(agents, {}, "none")).rejects.toMatchObject({ code: "bad_config" });
    expect(await opened({})).toMatchObject({ name: "cairn" });
  });

  it("keeps its own model unless the settings name another one", async () => {
    const own = { ...agent, model: { ...offlineModel(), id: "mine" } };
    expect((await opened(own)).model.id).toBe("mine");
    expect((await opened(own, { CAIRN_MODEL: "offline" })).model.id).toBe("offline");
  });

  it("has its skills and the additions of the file after instructions that never change", async () => {
    await using folder = await folderWith({
      "skills/letters/SKILL.md": "---\ndescription: How we write letters.\n---\nBe brief.",
      "cairn.config.json": JSON.stringify({ skills: "skills", instructions: "Always say Moin." }),
    });
    const settings = await loadSettings({ cwd: folder.path, env: {} });
    await using first = await openAgent(settings, {}, null);
    await using again = await openAgent(settings, {}, null);
    const { instructions } = first.agent;
    expect(instructions).toMatch(/^You are Cairn[\s\S]*sk:letters: How we write letters\.\n\nAlways say Moin\.$/);
    expect(again.agent.instructions).toBe(instructions);
  });
});

describe("the built-in agent", () => {
  it("finds skills in .agents/skills of the project and of the user, and skips bad ones with a problem", async () => {
    const skill = (description: string) => `---\ndescription: ${description}\n---\nText.`;
    await using home = await folderWith({
      ".agents/skills/letters/SKILL.md": skill("user"),
      ".agents/skills/numbers/SKILL.md": skill("user"),
    });
    await using folder = await folderWith({
      ".agents/skills/letters/SKILL.md": skill("project"),
      ".agents/skills/Bad/SKILL.md": skill("bad"),
    });
    const env = { HOME: home.path };
    await using found = await openAgent(await loadSettings({ cwd: folder.path, env }), env, null);
    expect(found.agent.instructions).toMatch(/- sk:letters: project\n- sk:numbers: user$/);
    expect(found.problems).toEqual([expect.stringContaining("Bad")]);
    const python = found.agent.tools?.find(({ id }) => id === PROGRAMS[0]);
    expect(python?.description).toContain("OUTPUT_DIR + '/skills/<skill>/'");
    const off = await loadSettings({ cwd: folder.path, env: { ...env, CAIRN_SKILLS: "none" } });
    await using without = await openAgent(off, env, null);
    expect(without.agent.instructions).not.toContain("sk:");
    expect(without.problems).toEqual([]);
  });

  it("has every tool without configuration, always in the same order, and instructions to use them", async () => {
    const ids = await idsOf({});
    expect(ids.slice(0, -8).every((id) => id.startsWith("react."))).toBe(true);
    expect(ids.slice(-8)).toEqual([...WEB, ...DOCUMENTS, ...PROGRAMS]);
    expect(await idsOf({})).toEqual(ids);
    const { instructions } = await opened({});
    for (const id of ["react.read", ...WEB, "rendering_tools.write_pdf", ...PROGRAMS.slice(0, 1)])
      expect(instructions).toContain(id);
    expect(instructions).toContain("a sample library, which is the documentation of Cairn");
  });

  it("has no tool that is switched off, and no instructions for it", async () => {
    const settings = { search: "none", sandbox: "none" };
    expect((await idsOf(settings)).slice(-5)).toEqual(["web_tools.web_fetch", ...DOCUMENTS]);
    const { instructions } = await opened(settings);
    expect(instructions).not.toContain("web_search");
    expect(instructions).not.toContain("exec_tools");
  });

  it("has the fallback models and the settings of requests that are configured", async () => {
    const env = { CAIRN_MODEL_BASE_URL: "http://127.0.0.1:9" };
    const content = { fallback: ["openai-compatible:x", "offline"], request: { top_p: 0.5 } };
    await using found = await openAgent(read(content, {}), env, null);
    expect(found.agent.fallback?.map(({ id }) => id)).toEqual(["openai-compatible:x", "offline"]);
    expect(found.agent.request).toEqual({ topP: 0.5 });
  });

  it("refuses a wrong setting of models even when it is offline", async () => {
    const env = { CAIRN_MODEL: "offline", CAIRN_MODEL_LOWERING: "nativ" };
    await expect(opened({}, env)).rejects.toThrow("CAIRN_MODEL_LOWERING must be native or flat, not nativ.");
  });

  it("says that a budget in dollars has no effect when the price is unknown", async () => {
    const env = { CAIRN_MODEL_BASE_URL: "http://127.0.0.1:9" };
    const problemsOf = async (content: object, model: string) => {
      await using found = await openAgent(read(content, { CAIRN_MODEL: model }), env, null);
      return found.problems;
    };
    const dollars = { budgets: { dollars: 1 } };
    const user = { budgets: { user: { dollars: 1, windowMs: 1_000 } } };
    for (const content of [dollars, user])
      expect(await problemsOf(content, "openai-compatible:x")).toEqual([expect.stringContaining("has no effect")]);
    expect(await problemsOf({ budgets: { tokens: 1 } }, "openai-compatible:x")).toEqual([]);
    expect(await problemsOf(dollars, "offline")).toEqual([]);
  });

  it("has the allowed tools of MCP servers after its own, and says which servers it did not reach", async () => {
    const mcp = {
      zoo: { command: process.execPath, args: [MCP_SERVER], allow: ["weather"] },
      gone: { command: "/no/such/program", allow: "all" },
    };
    await using found = await openAgent(read({ mcp }), {}, null);
    const { tools } = await withFoundTools(found.agent, LOCAL_SCOPE, new AbortController().signal);
    expect(tools?.map(({ id }) => id).slice(-3)).toEqual([...PROGRAMS, "mcp.zoo.weather"]);
    expect(found.problems).toEqual([expect.stringContaining("gone")]);
  });

  it("has the servers of a .mcp.json, with the variables of the environment; the configuration overrides it", async () => {
    const zoo = { command: process.execPath, args: [`\${SERVER}`], allow: ["weather"] };
    await using folder = await folderWith({
      ".mcp.json": JSON.stringify({ mcpServers: { zoo, gone: { command: "/no/such/program" } } }),
    });
    const env = { SERVER: MCP_SERVER };
    const mcp = { gone: { command: "/no/other/program", allow: "all" } };
    await using found = await openAgent(read({ mcp, mcpFile: `${folder.path}/.mcp.json` }), env, null);
    const { tools } = await withFoundTools(found.agent, LOCAL_SCOPE, new AbortController().signal);
    expect(tools?.at(-1)).toMatchObject({ id: "mcp.zoo.weather", approval: "always" });
    expect(found.problems).toEqual([expect.stringContaining("/no/other/program")]);
  });

  it.each([
    [{ search: "corpus:/no/such/folder" }, "bad_search_setting", "CAIRN_SEARCH=corpus:/no/such/folder: the folder"],
    [{ search: "brave" }, "bad_search_setting", "BRAVE_API_KEY is not set"],
    [{ skills: "/no/such/skills" }, "bad_skill", "does not exist"],
    [{ sandbox: "chroot" }, "bad_setting", "Set it to one of auto, bubblewrap, deno, none"],
    [{ mcp: { zoo: {} } }, "bad_mcp_config", "MCP server zoo"],
    [{ mcpFile: "/no/such/.mcp.json" }, "bad_mcp_config", "CAIRN_MCP_FILE"],
  ])("does not start with %j", async (content, code, message) => {
    const problem = await opened(content).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
