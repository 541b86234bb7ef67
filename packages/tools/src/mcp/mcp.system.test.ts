/** MCP over its two transports, with real servers: a child process, and HTTP. */
import {
  type AgentDefinition,
  type AnyTool,
  reactTools,
  recordedRequests,
  resolveModel,
  type TurnSignal,
} from "@cairn/agent";
import { freePort } from "@cairn/testkit/store";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { afterEach, describe, expect, it } from "vitest";
import { child, HttpMcp, httpConfig } from "../../test/http-mcp.ts";
import { PNG_BASE64 } from "../../test/test-server.ts";
import { connectMcp, type McpTools } from "./connect-mcp.ts";
import type { McpConfig } from "./mcp-config.ts";

const signal = new AbortController().signal;

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function connect(config: McpConfig): Promise<McpTools> {
  const mcp = await connectMcp(config);
  disposals.push(() => mcp.close());
  return mcp;
}

async function openBench(tools: readonly AnyTool[], more: Partial<AgentDefinition> = {}): Promise<TurnBench> {
  const bench = await TurnBench.open({
    agent: { tools: [...reactTools(), ...tools], ...more },
    // The model as an application gets it: names and schemas of foreign tools are adapted to the provider.
    model: (baseUrl) =>
      resolveModel("anthropic:claude-sonnet-5", { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: baseUrl }),
  });
  disposals.push(async () => bench[Symbol.asyncDispose]());
  return bench;
}

async function openHttp(): Promise<HttpMcp> {
  const http = await new HttpMcp().listen();
  disposals.push(() => http.close());
  return http;
}
describe("tools", () => {
  it("are those allowed, in the order of the configuration and then by name, with the server's own schema", async () => {
    const http = await openHttp();
    const mcp = await connect({
      zoo: { ...child(), allow: ["weather", "count", "no_such_tool"] },
      alpha: httpConfig(http, { allow: ["env"] }),
    });
    expect(mcp.tools.map(({ id }) => id)).toEqual(["mcp.zoo.count", "mcp.zoo.weather", "mcp.alpha.env"]);
    expect(mcp.problems).toEqual(["The MCP server zoo has no tool no_such_tool."]);
    const weather = mcp.tools[1];
    expect(weather).toMatchObject({ description: "The weather of a city.", idempotent: true });
    expect(weather?.schema).toMatchObject({
      type: "object",
      properties: {
        city: { type: "string", minLength: 1, description: "Its name" },
        days: { type: "integer", maximum: 7 },
      },
      required: ["city"],
    });
  });

  it("need approval by default, except tools that a trusted server marks as read-only", async () => {
    const asks = async (approval: object) => {
      const { tools } = await connect({ zoo: { ...child(), allow: ["count", "weather"], ...approval } });
      return tools.map(({ id, approval: rule }) => [id, rule]);
    };
    const { approval: _, ...unsaid } = { ...child() };
    const { tools } = await connect({ zoo: { ...unsaid, allow: ["weather"] } });
    expect(tools.map(({ approval }) => approval)).toEqual(["always"]);
    expect(await asks({ approval: "unless_read_only" })).toEqual([
      ["mcp.zoo.count", "always"],
      ["mcp.zoo.weather", "never"],
    ]);
  });

  it("stay the same during a turn; a list that the server has changed reaches the next turn as a declared reset", async () => {
    const mcp = await connect({ zoo: { ...child(), allow: "all" } });
    const bench = await openBench([], { findTools: mcp.findTools });
    await playTurn(bench, [callOf("mcp.zoo.grows", {}), callOf("mcp.zoo.count", {})]);
    const sent = () => bench.simulator.requests.map(({ body }) => JSON.stringify(body?.tools));
    expect(new Set(sent()).size).toBe(1);
    const ids = async () => (await mcp.findTools(bench.key, signal)).map(({ id }) => id);
    await expect.poll(ids).toContain("mcp.zoo.aaa_new");
    await playTurn(bench, [callOf("mcp.zoo.count", {})]);
    expect(new Set(sent()).size).toBe(2);
    const receipts = await Array.fromAsync(recordedRequests(bench.store, bench.key));
    expect(receipts.map(({ receipt }) => receipt.resets.map(({ cause }) => cause))).toEqual([
      [],
      [],
      [],
      ["tools_changed"],
      [],
    ]);
  });

  it("with any name and schema get their own id and are called by their own name", async () => {
    const mcp = await connect({ odd: { ...child("odd"), allow: "all" } });
    const ids = mcp.tools.map(({ id }) => id);
    expect(ids).toEqual([
      "mcp.odd._dots_",
      "mcp.odd.a",
      "mcp.odd.beyond",
      expect.stringMatching(/^mcp\.odd\.l+-[0-9a-f]{8}$/),
      "mcp.odd.with_space",
      expect.stringMatching(/^mcp\.odd\.with_space-[0-9a-f]{8}$/),
      "mcp.odd._n_code",
    ]);
    const bench = await openBench(mcp.tools);
    const called = await playTurn(bench, [
      callOf(ids[5] ?? "", { n: 3, more: [1] }),
      callOf("mcp.odd.beyond", { x: { y: null } }),
    ]);
    expect(called.contents("react.tool.result tc:T1.C1.result")).toEqual(['with/space {"n":3,"more":[1]}']);
    expect(called.contents("react.tool.result tc:T1.C2.result")).toEqual(['beyond {"x":{"y":null}}']);
  });

  it("of unreachable servers are missing, and all others are available", async () => {
    const http = await openHttp();
    const closed = await new HttpMcp().listen();
    await closed.close();
    const mcp = await connect({
      gone: { command: "/no/such/command", allow: "all" },
      refuses: { ...child("refuse"), allow: "all" },
      silent: { ...child("silent"), allow: "all", connect_timeout_ms: 1_500 },
      locked: { url: http.url, allow: "all" },
      nobody: { url: closed.url, allow: "all" },
      good: httpConfig(http, { allow: ["count"] }),
    });
    expect(mcp.tools.map(({ id }) => id)).toEqual(["mcp.good.count"]);
    expect(mcp.problems).toEqual([
      expect.stringMatching(/MCP server gone cannot be reached: .*ENOENT/),
      expect.stringMatching(/MCP server refuses cannot be reached: .*it said: missing setting: TOKEN/),
      expect.stringMatching(/MCP server silent cannot be reached: .*timed out/i),
      expect.stringMatching(/MCP server locked requires a login/),
      expect.stringMatching(/MCP server nobody cannot be reached: .*ECONNREFUSED/),
    ]);
    expect(mcp.status().map(({ connected }) => connected)).toEqual([false, false, false, false, false, true]);
  });

  it("of a server that is down at the start are there for a later turn", async () => {
    const closed = await new HttpMcp().listen(await freePort());
    await closed.close();
    const mcp = await connect({ zoo: httpConfig(closed) });
    expect(mcp.tools).toEqual([]);
    const back = await new HttpMcp().listen(closed.port);
    disposals.push(() => back.close());
    const owner = { tenant: "t", project: "p", user: "u" };
    const found = async () => (await mcp.findTools(owner, signal)).map(({ id }) => id);
    await expect.poll(found).toContain("mcp.zoo.count");
  });
});

describe.each(["stdio", "http"] as const)("a turn over %s", (kind) => {
  const open = async (more = {}): Promise<McpTools> =>
    kind === "stdio"
      ? connect({ zoo: { ...child(), allow: "all", ...more } })
      : connect({ zoo: httpConfig(await openHttp(), more) });

  it("leaves call and result; structured content appears once", async () => {
    const mcp = await open();
    const bench = await openBench(mcp.tools);
    const played = await playTurn(bench, [callOf("mcp.zoo.weather", { city: "Wuppertal" }, "Looking.")]);
    expect(played.sequence).toEqual([
      "react.notes ar:T1.react.notes.C1",
      "react.tool.call tc:T1.C1.call",
      "react.tool.result tc:T1.C1.result",
    ]);
    expect(played.contents("react.tool.call tc:T1.C1.call")).toEqual([
      { tool_id: "mcp.zoo.weather", tool_call_id: "C1", params: { city: "Wuppertal" }, ts: "time" },
    ]);
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([{ city: "Wuppertal", degrees: 21 }]);
    expect(played.shown).toContain(
      '[TOOL RESULT C1].result mcp.zoo.weather\nlogical_path: tc:T1.C1.result\n{"city":"Wuppertal","degrees":21}',
    );
  });

  it("leaves texts as the result, and every picture, sound and binary resource as a file after it", async () => {
    const mcp = await open();
    const bench = await openBench(mcp.tools);
    const played = await playTurn(bench, [callOf("mcp.zoo.everything", {})]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result fi:T1.files/received/C1/1-image.png",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result fi:T1.files/received/C1/2-audio.wav",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result fi:T1.files/received/C1/3-t-20able.bin",
    ]);
    const [texts, image] = played.contents("react.tool.result tc:T1.C1.result");
    expect(texts).toBe(
      "first text\n\nResource file:///notes/today.md\n# Today\n\nLink [S:1] https://example.com/more (more). Read it with react.read so:sources_pool[1].\nThere is more.",
    );
    expect(image).toMatchObject({
      artifact_path: "fi:T1.files/received/C1/1-image.png",
      mime: "image/png",
      size_bytes: 70,
    });
    expect(bench.simulator.requests.at(-1)?.bytes).toContain(PNG_BASE64);
  });

  it("refuses parameters that the schema does not allow, before the server sees them", async () => {
    const mcp = await open();
    const bench = await openBench(mcp.tools);
    const played = await playTurn(bench, [callOf("mcp.zoo.weather", { days: 9 })]);
    expect(played.sequence).toEqual(["react.decision.raw", "react.notice ar:T1.react.notice.1"]);
    expect(played.shown).toMatch(/The parameters of mcp\.zoo\.weather do not match its schema:\n- city: .*\n- days: /);
  });

  it("leaves a result even if the tool returned none", async () => {
    const mcp = await open();
    const bench = await openBench(mcp.tools);
    const played = await playTurn(bench, [callOf("mcp.zoo.nothing", {})]);
    expect(played.sequence).toEqual(["react.tool.call tc:T1.C1.call", "react.tool.result tc:T1.C1.result"]);
    expect(played.shown).toContain("[TOOL RESULT C1].result mcp.zoo.nothing");
  });

  it("shows an error of the tool as the error of the call, and cuts a long one", async () => {
    const mcp = await open();
    const bench = await openBench(mcp.tools);
    const failed = await playTurn(bench, [callOf("mcp.zoo.fails", {})]);
    expect(failed.shown).toContain("Status: error mcp_tool_error: There is no such city.");
    const long = await playTurn(bench, [callOf("mcp.zoo.long", {})]);
    expect(long.contents("react.notice tc:T2.C2.notice")).toEqual([
      expect.objectContaining({ code: "tool_call_warning.result_truncated" }),
    ]);
    expect(String(long.contents("react.tool.result tc:T2.C2.result")[0]).length).toBe(
      200_000 + "...[truncated]".length,
    );
  });

  it("times out a call that takes too long, and continues one that reports progress", async () => {
    const mcp = await open({ timeout_ms: 1_500 });
    const bench = await openBench(mcp.tools);
    const slow = await playTurn(bench, [callOf("mcp.zoo.slow", { ms: 60_000 })]);
    expect(slow.shown).toContain("Status: error mcp_timeout: The MCP server zoo did not answer within 1.5 s.");
    const busy = await playTurn(bench, [callOf("mcp.zoo.busy", {})]);
    expect(busy.contents("react.tool.result tc:T2.C2.result")).toEqual(["done"]);
    const progress = bench.signals.filter((each: TurnSignal) => JSON.stringify(each).includes("of 20"));
    expect(progress.length).toBeGreaterThan(0);
  });
});

it("a child process gets only the environment variables it needs and those it is given", async () => {
  process.env.CAIRN_TEST_SECRET = "hunter2";
  try {
    const mcp = await connect({ zoo: { ...child(), env: { GIVEN: "yes" }, allow: ["env"] } });
    const bench = await openBench(mcp.tools);
    const played = await playTurn(bench, [callOf("mcp.zoo.env", {})]);
    const [env] = played.contents("react.tool.result tc:T1.C1.result") as [Record<string, string>];
    expect(env).toMatchObject({ GIVEN: "yes", PATH: expect.any(String) });
    expect(Object.keys(env).filter((name) => !/^(?:GIVEN|PATH|HOME|LOGNAME|SHELL|TERM|USER)$/.test(name))).toEqual([]);
  } finally {
    delete process.env.CAIRN_TEST_SECRET;
  }
});
