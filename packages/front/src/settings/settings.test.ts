import { defineAgent, offlineModel } from "@cairn/agent";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder-with.ts";
import { loadSettings } from "./load-config.ts";
import { readSettings } from "./settings.ts";

const agent = defineAgent({ name: "shop", instructions: "Sell.", model: offlineModel() });
const read = (content: unknown, env: Record<string, string> = {}) =>
  readSettings({ name: "cairn.config.json", content }, env, "/home/ada");

describe("settings", () => {
  it("have defaults: a folder beside you, the offline model", () => {
    expect(readSettings(null, {}, "/home/ada")).toEqual({
      dataDir: "/home/ada/.cairn",
      secretKey: null,
      policies: {},
      database: null,
      blobs: null,
      model: null,
      skills: [{ path: "/home/ada/.agents/skills", isOptional: true }],
      instructions: null,
      standingOrders: "conversation",
      budgets: {},
      request: {},
      reasoning: null,
      fallback: [],
      agents: [],
      tools: { search: null, fetchAllow: [], fetchOnly: [], sandbox: null, mcp: {}, mcpFile: null },
      server: {
        host: "127.0.0.1",
        port: 4310,
        origins: [],
        models: [],
        providerOptions: [],
        tokens: null,
        oidc: null,
        audit: null,
        otel: false,
        concurrency: 8,
        queue: 200,
        uploadMb: 32,
        drainSeconds: 10,
        reserveMb: 64,
        userQueue: 50,
        userShare: 50,
        tenantShare: 75,
        userRequests: 20,
        tenantRequests: 100,
        userFollowers: 50,
        tenantFollowers: 1_000,
        userStorageMb: 10_000,
        tenantStorageMb: 100_000,
      },
    });
  });

  it("come from the file, and the environment overrides it; an empty variable counts as absent", () => {
    const file = {
      dataDir: "data",
      model: "openai:gpt-5",
      skills: "skills",
      budgets: { iterations: 3, user: { dollars: 1, windowMs: 60_000 } },
    };
    expect(read(file)).toMatchObject({
      dataDir: "/home/ada/data",
      model: "openai:gpt-5",
      skills: [{ path: "/home/ada/skills" }, { path: "/home/ada/.agents/skills", isOptional: true }],
      budgets: { iterations: 3, user: { dollars: 1, windowMs: 60_000 } },
    });
    const env = { CAIRN_DATA_DIR: "/data", CAIRN_MODEL: "offline", CAIRN_SKILLS: " " };
    expect(read(file, env)).toMatchObject({ dataDir: "/data", model: "offline", skills: read(file).skills });
  });

  it("name the folders of skills by precedence: the setting, the project, the user", () => {
    const paths = (...given: Parameters<typeof read>) => read(...given).skills.map(({ path }) => path);
    const project = "/home/ada/.agents/skills";
    expect(paths({}, { HOME: "/root" })).toEqual([project, "/root/.agents/skills"]);
    expect(paths({ skills: "own" }, { HOME: "/root" })).toEqual(["/home/ada/own", project, "/root/.agents/skills"]);
    expect(paths({}, { HOME: "/home/ada" })).toEqual([project]);
    expect(paths({ skills: "own" }, { HOME: "/root", CAIRN_SKILLS: "none" })).toEqual([]);
  });

  it("take reasoning as an effort or as a number of tokens", () => {
    expect(read({ reasoning: "low" }).reasoning).toEqual({ effort: "low" });
    expect(read({}, { CAIRN_REASONING: "8000" }).reasoning).toEqual({ budgetTokens: 8_000 });
    expect(() => read({}, { CAIRN_REASONING: "extreme" })).toThrow(
      /reasoning.*must be one of none, minimal.*"extreme"/,
    );
  });

  it("of the server are numbers within bounds and lists, in either place", () => {
    const file = { port: 8080, origins: ["https://a.example"], models: ["openai:gpt-5"] };
    expect(read(file).server).toMatchObject(file);
    const env = { CAIRN_PORT: "0", CAIRN_ORIGINS: "https://b.example, http://c.example:81", CAIRN_HOST: "::1" };
    expect(read(file, env).server).toMatchObject({
      port: 0,
      host: "::1",
      origins: ["https://b.example", "http://c.example:81"],
    });
    for (const CAIRN_PORT of ["65536", "-1", "x", "1e3"])
      expect(() => read({}, { CAIRN_PORT })).toThrow("CAIRN_PORT must be a whole number from 0 to 65535.");
  });

  it("of policies are by tool: ask, allow or refuse", () => {
    const policies = { "mcp.shop.*": "ask", "react.write": "allow", "exec_tools.*": "refuse" };
    expect(read({ policies }).policies).toEqual(policies);
    expect(() => read({ policies: { a: "maybe" } })).toThrow('the policy of "a" must be one of ask, allow, refuse');
  });

  it("of the tools come from either place; a folder to search is relative to the working directory", () => {
    const file = {
      search: "corpus:library",
      fetchAllow: ["wiki.local"],
      fetchOnly: ["*.org"],
      sandbox: "deno",
      mcp: { zoo: { url: "x" } },
      mcpFile: ".mcp.json",
    };
    const paths = { search: "corpus:/home/ada/library", mcpFile: "/home/ada/.mcp.json" };
    expect(read(file).tools).toEqual({ ...file, ...paths });
    const env = { CAIRN_SEARCH: "brave", CAIRN_FETCH_ALLOW: "a.local, b.local:81", CAIRN_SANDBOX: "none" };
    expect(read(file, env).tools).toMatchObject({
      search: "brave",
      fetchAllow: ["a.local", "b.local:81"],
      sandbox: "none",
    });
    expect(read({}, { CAIRN_SEARCH: "corpus:/data/library" }).tools.search).toBe("corpus:/data/library");
  });

  it("may be an agent alone, or a list of agents", () => {
    expect(read(agent).agents).toEqual([agent]);
    expect(read([agent]).agents).toEqual([agent]);
    expect(read({ agent }).agents).toEqual([agent]);
  });

  it.each<[unknown, string]>([
    [null, "cairn.config.json: must hold an object or export one as its default."],
    [3, "must hold an object"],
    [
      { modle: "offline" },
      'has an unknown setting "modle"; known settings are dataDir, database, blobs, secretKey, model,',
    ],
    [JSON.parse('{"__proto__": {}}'), 'has an unknown setting "__proto__"'],
    [{ model: 3 }, "`model` must be a string that is not empty."],
    [{ dataDir: "" }, "`dataDir` must be a string that is not empty."],
    [{ dataDir: "a\0b" }, "`dataDir` must be"],
    [
      { request: { temprature: 1 } },
      '`request` is wrong: The request settings are not valid: settings: Unrecognized key: "temprature".',
    ],
    [{ budgets: [] }, "`budgets` must be an object."],
    [{ budgets: { tokens: 0 } }, "`budgets.tokens` must be a number above 0."],
    [{ budgets: { token: 1 } }, '`budgets` has an unknown key "token"'],
    [{ budgets: { user: 5 } }, "`budgets.user` must be an object."],
    [{ budgets: { user: { dollars: 5 } } }, "`budgets.user` needs `windowMs`"],
    [{ budgets: { user: { windowMs: 5, dollar: 1 } } }, '`budgets.user` has an unknown key "dollar"'],
    [{ agents: {} }, "`agents` must be a list."],
    [{ standingOrders: "everybody" }, 'standingOrders must be "conversation" or "user"'],
    [{ agents: [{ name: "x" }] }, "an agent needs `name`, `instructions` and a `model` that streams"],
    [[agent, agent], 'two agents are named "shop"; give each its own name.'],
    [{ port: 3.5 }, "`port` must be a whole number from 0 to 65535."],
    [{ mcp: [] }, "`mcp` must be an object that maps a name to a server."],
    [{ fetchAllow: "wiki.local" }, "`fetchAllow` must be a list of strings."],
    [{ origins: "https://a.example" }, "`origins` must be a list of strings."],
    [{ origins: ["a.example/x"] }, "is not an origin, such as https://example.com."],
  ])("%j is refused with one clear line", (content, message) => {
    expect(() => read(content)).toThrow(
      expect.objectContaining({ code: "bad_config", message: expect.stringContaining(message) }),
    );
  });
});

describe("the settings of an issuer", () => {
  const issuer = { CAIRN_OIDC_ISSUER: "https://login.example", CAIRN_OIDC_AUDIENCE: "cairn" };

  it("name the claims of the scope, with defaults, or one value for everybody", () => {
    expect(read({}, { ...issuer, CAIRN_OIDC_PROJECT: "=main" }).server.oidc).toEqual({
      issuer: "https://login.example",
      audience: "cairn",
      tenant: { claim: "tenant" },
      project: { value: "main" },
      user: { claim: "sub" },
      inspect: null,
    });
  });

  it.each<[string, Record<string, string>]>([
    ["no audience", { CAIRN_OIDC_ISSUER: "https://login.example" }],
    ["no issuer", { CAIRN_OIDC_AUDIENCE: "cairn" }],
    ["no issuer but a claim", { CAIRN_OIDC_TENANT: "tid" }],
    ["no TLS", { ...issuer, CAIRN_OIDC_ISSUER: "http://login.example" }],
    ["no address", { ...issuer, CAIRN_OIDC_ISSUER: "login.example" }],
    ["a query", { ...issuer, CAIRN_OIDC_ISSUER: "https://login.example/?x=y" }],
    ["an empty value", { ...issuer, CAIRN_OIDC_TENANT: "= " }],
  ])("with %s are refused in one line", (_, env) => {
    expect(() => read({}, env)).toThrow(/^CAIRN_OIDC_\w+ [^\n]+\.$/);
  });
});

describe("the configuration file", () => {
  it.each([
    ["cairn.config.json", "{", "cairn.config.json is not JSON"],
    [
      "cairn.config.ts",
      "export const a = 1;",
      "cairn.config.ts has no default export. Export the settings as its default.",
    ],
    ["cairn.config.ts", "throw new Error('no luck');", "cairn.config.ts cannot be loaded: no luck"],
    ["cairn.config.ts", "export default = 3;", "cairn.config.ts cannot be loaded: "],
  ])("%s with %j is refused with one clear line", async (name, content, message) => {
    await using folder = await folderWith({ [name]: content });
    const problem = await loadSettings({ cwd: folder.path, env: {} }).catch((error: Error) => error.message);
    expect(problem).toContain(message);
    expect(problem).not.toContain("\n");
  });

  it("must be the only one, because with two it would be unclear which counts", async () => {
    await using folder = await folderWith({ "cairn.config.json": "{}", "cairn.config.ts": "export default {};" });
    await expect(loadSettings({ cwd: folder.path, env: {} })).rejects.toThrow("Keep one of them");
  });
});
