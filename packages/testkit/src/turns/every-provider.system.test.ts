/**
 * One conversation with every feature passes with every provider. Each simulated provider refuses what the real one
 * refuses, and every request body compiles against the types of the provider's own package.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentDefinition, resolveModel, withFoundTools } from "@cairn/agent";
import { LOCAL_SCOPE, loadSettings, type OpenedAgent, openAgent } from "cairn-agent/process";
import type { ServerName } from "cairn-agent/testing/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whyNoCheckers } from "../checkers.ts";
import { type ApiName, simulatorEnv } from "../models/index.ts";
import { tryBubblewrap, tryDeno } from "../sandbox/index.ts";
import { checkBodies } from "./check-bodies.ts";
import { toldRequests } from "./told-requests.ts";
import { playWholeConversation, type WholeConversation } from "./whole-conversation.ts";

const MCP_SERVER = fileURLToPath(new URL("../../../tools/test/test-server.ts", import.meta.url));
const sandboxes = [await tryBubblewrap(), await tryDeno()];
const sandbox = sandboxes.find(({ missing }) => missing === null)?.sandbox.name ?? null;

const BACK_ENDS: readonly (readonly [string, string, readonly ServerName[]])[] = [
  ["Anthropic", "anthropic:claude-sonnet-5", []],
  ["Bedrock", "bedrock:us.anthropic.claude-sonnet-5", []],
  ["OpenAI's Responses", "openai:gpt-6.1-sol", []],
  ["Chat Completions", "openai-compatible:gpt-4.1", ["qwen"]],
  ["a text-only compatible server", "openai-compatible:deepseek-v4-flash", ["deepseek", "kimi", "qwen"]],
  ["a server whose model calls no tools", "openai-compatible:gemma3:4b", ["gemma", "toolless"]],
  ["a server with a strict chat template", "openai-compatible:mistral-large", ["mistral", "gemma", "llama"]],
  ["Google", "google:gemini-4-argon", []],
];
const envOf = (url: string) => ({ ...simulatorEnv(url), CAIRN_MODEL_CONTEXT_TOKENS: "200000" });

describe.skipIf(sandbox === null)("a whole conversation", () => {
  let folder: string;
  let opened: OpenedAgent;
  let equipped: AgentDefinition;
  const bodies = new Map<ApiName, string[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-every-provider-"));
    const settings = await loadSettings({ cwd: folder, env: {} });
    const shop = { command: process.execPath, args: [MCP_SERVER, "union"], allow: ["find"] };
    opened = await openAgent({ ...settings, tools: { ...settings.tools, sandbox, mcp: { shop } } }, {}, null);
    expect(opened.problems).toEqual([]);
    equipped = await withFoundTools(opened.agent, LOCAL_SCOPE, new AbortController().signal);
  });

  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(BACK_ENDS)("on %s", (_, name, servers) => {
    let played: WholeConversation;

    beforeAll(async () => {
      const { instructions, tools = [] } = equipped;
      const modelAt = (url: string) => resolveModel(name, envOf(url));
      played = await playWholeConversation(instructions, tools, modelAt, servers);
      // These bodies are not checked: OpenAI's types do not have the field for reasoning that the servers want.
      if (servers.includes("deepseek")) return;
      for (const { request, bytes } of played.bench.simulator.requests)
        if (request !== null) bodies.set(request.api, [...(bodies.get(request.api) ?? []), bytes]);
    });
    afterAll(() => played.bench[Symbol.asyncDispose]());

    it("completes without a refusal, and every turn has the expected end", () => {
      const refused = played.bench.simulator.requests.flatMap(({ refusal }) => refusal ?? []);
      expect(refused).toEqual([]);
      expect(played.exits).toEqual(["complete", "complete", "complete", "complete", "cancelled", "complete"]);
    });

    it("calls every tool of the agent", () => {
      const tools = [...(equipped.tools ?? []).map(({ id }) => id), "shop.order"];
      expect([...played.called].sort()).toEqual(tools.sort());
    });

    it("shows pictures and documents if the model accepts them, and otherwise describes them", () => {
      const sent = played.bench.simulator.requests.map(({ bytes }) => bytes).join("\n");
      const isTextOnly = servers.includes("deepseek");
      expect(/"data:image\/png;base64,|"image\/png"|"image":\{"format":"png"/.test(sent)).toBe(!isTextOnly);
      expect(/data:application\/pdf;base64,|"application\/pdf"|"document":\{"format":"pdf"/.test(sent)).toBe(
        !isTextOnly,
      );
      expect(sent.includes("not shown")).toBe(isTextOnly);
    });

    it("describes every request in its receipt, and changes no prefix without declaring it", async () => {
      const { bench } = played;
      const told = await toldRequests(bench.store, bench.key, bench.simulator.requests);
      expect(told.length).toBeGreaterThan(10);
      for (const request of told) {
        expect(request).toMatchObject({ isRebuilt: true, isSpelled: true });
        if (request.resets.length === 0) expect(request.miss).toBeNull();
      }
    });
  });

  const untyped = whyNoCheckers();
  it.skipIf(untyped !== null)(
    `sends bodies that compile against the types of the providers' own packages${untyped === null ? "" : ` (${untyped})`}`,
    async () => {
      expect([...bodies.keys()].sort()).toEqual(["anthropic", "bedrock", "google", "openai-chat", "openai-responses"]);
      expect(await checkBodies(bodies)).toEqual([]);
      // The check itself works: it finds an unknown field and an invalid value.
      const wrong = ['{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a","mood":"good"}]}'];
      expect(await checkBodies(new Map([["anthropic", wrong]]))).toEqual([expect.stringContaining("mood")]);
    },
  );
});
