import { ModelSimulator } from "@cairn/testkit/models";
import { FLAT_2, NATIVE_2 } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { countTokens, plainRequest } from "../../test/plain-request.ts";
import type { Model, ModelPart } from "../model/model.ts";
import { anthropic } from "../model/providers/anthropic.ts";
import { google } from "../model/providers/google.ts";
import { openai } from "../model/providers/openai.ts";
import { factsOf } from "../model/providers/provider.ts";
import { resolveModel, resolveSpeller } from "./resolve-model.ts";

async function say(model: Model): Promise<string> {
  const { signal } = new AbortController();
  const parts: ModelPart[] = await Array.fromAsync(model.stream(plainRequest(), { signal }));
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

describe("a name becomes a model that talks to the address in the environment:", () => {
  it.each([
    [
      "anthropic:claude-sonnet-5-5",
      "/v1/messages",
      (url: string) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url.slice(0, -3) }),
    ],
    ["openai:gpt-6.1-sol", "/v1/responses", (url: string) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: url })],
    [
      "openai-compatible:gpt-4.1",
      "/v1/chat/completions",
      (url: string) => ({ CAIRN_MODEL_API_KEY: "k", CAIRN_MODEL_BASE_URL: url }),
    ],
    [
      "google:gemini-4-argon",
      "/v1beta/models/gemini-4-argon:streamGenerateContent",
      (url: string) => ({ GEMINI_API_KEY: "k", GOOGLE_GENERATIVE_AI_BASE_URL: `${url}beta` }),
    ],
    [
      "bedrock:us.anthropic.claude-sonnet-5-v1:0",
      "/v1/model/us.anthropic.claude-sonnet-5-v1%3A0/converse-stream",
      (url: string) => ({
        AWS_REGION: "eu-west-1",
        AWS_ACCESS_KEY_ID: "id",
        AWS_SECRET_ACCESS_KEY: "secret",
        AWS_SESSION_TOKEN: "session",
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
      }),
    ],
  ] as const)("%s at %s", async (name, path, env) => {
    await using simulator = await ModelSimulator.start({ countTokens });
    simulator.script([{ reply: { text: "Hello!" } }]);
    const model = await resolveModel(name, env(simulator.baseUrl));
    expect(model.id).toBe(name);
    expect(await say(model)).toBe("Hello!");
    expect(simulator.requests[0]?.path).toBe(path);
  });

  it("Anthropic's token instead of its key", async () => {
    await using simulator = await ModelSimulator.start({ countTokens });
    const env = { ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_BASE_URL: `${simulator.baseUrl}/` };
    // The simulator accepts only keys; the test checks that the token was sent.
    await say(await resolveModel("anthropic:claude-sonnet-5-5", env)).catch(() => "");
    expect(simulator.requests[0]).toMatchObject({ path: "/v1/messages", headers: { authorization: "Bearer t" } });
  });

  it("google and offline too", async () => {
    expect(await resolveModel("google:gemini-4-argon", { GEMINI_API_KEY: "k" })).toMatchObject({
      provider: "automatic",
      contextTokens: 1_048_576,
    });
    expect((await resolveModel("offline", {})).id).toBe("offline");
  });
});

it("models of Bedrock have the facts of Claude, whatever region and version their ids name", async () => {
  const env = { AWS_BEARER_TOKEN_BEDROCK: "k", AWS_DEFAULT_REGION: "us-east-1" };
  const [global, regional, other] = await Promise.all(
    ["global.anthropic.claude-sonnet-5", "eu.anthropic.claude-sonnet-5-20260801-v1:0", "meta.llama4-v1:0"].map((id) =>
      resolveModel(`bedrock:${id}`, env),
    ),
  );
  expect(global).toMatchObject({ provider: "bedrock", contextTokens: 1_000_000, keepsReasoning: true });
  expect(regional?.prices?.input).toBeCloseTo((global?.prices?.input ?? 0) * 1.1);
  expect(other).toMatchObject({ provider: "automatic", contextTokens: 128_000, keepsReasoning: false });
  expect([global, other].map((model) => model?.loweringOf?.({})?.name)).toEqual(["native", "flat"]);
});

it.each([
  ["us-gov.anthropic.claude-sonnet-5-20260801-v1:0", "a government region"],
  ["arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-5-v1:0", "a profile's ARN"],
  ["arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/anthropic.claude-sonnet-5-v1:0", "a model's ARN"],
])("a model of Bedrock is known to be Claude by the id %s: %s", async (id) => {
  const env = { AWS_BEARER_TOKEN_BEDROCK: "k", AWS_REGION: "us-east-1" };
  const [plain, named] = await Promise.all([
    resolveModel("bedrock:us.anthropic.claude-sonnet-5", env),
    resolveModel(`bedrock:${id}`, env),
  ]);
  const { provider, contextTokens, keepsReasoning, prices } = plain;
  expect(named).toMatchObject({ provider, contextTokens, keepsReasoning, prices });
  expect([provider, named.loweringOf?.({})?.name]).toEqual(["bedrock", "native"]);
});

it("the ARN of a global profile has the price of a global endpoint", async () => {
  const env = { AWS_BEARER_TOKEN_BEDROCK: "k", AWS_REGION: "us-east-1" };
  const arn = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/global.anthropic.claude-sonnet-5";
  const [plain, named] = await Promise.all(
    ["global.anthropic.claude-sonnet-5", arn].map((id) => resolveModel(`bedrock:${id}`, env)),
  );
  expect(named?.prices).toEqual(plain?.prices);
});

describe("a missing setting is named", () => {
  it.each([
    ["anthropic:x", {}, "model_key_missing", "ANTHROPIC_API_KEY"],
    ["openai:x", { OPENAI_API_KEY: " " }, "model_key_missing", "OPENAI_API_KEY"],
    ["google:x", {}, "model_key_missing", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["bedrock:x", {}, "model_key_missing", "AWS_BEARER_TOKEN_BEDROCK"],
    ["bedrock:x", { AWS_BEARER_TOKEN_BEDROCK: "k" }, "bad_setting", "AWS_REGION"],
    ["bedrock:x", { AWS_ACCESS_KEY_ID: "id", AWS_REGION: "us-east-1" }, "model_key_missing", "AWS_SECRET_ACCESS_KEY"],
    ["openai-compatible:x", {}, "model_base_url_missing", "CAIRN_MODEL_BASE_URL"],
    ["openai:x", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "file:///etc" }, "bad_base_url", "OPENAI_BASE_URL"],
    [
      "anthropic:x",
      { ANTHROPIC_API_KEY: "k", CAIRN_MODEL_CONTEXT_TOKENS: "lots" },
      "bad_setting",
      "CAIRN_MODEL_CONTEXT_TOKENS",
    ],
    ["offline", { CAIRN_MODEL_LOWERING: "nativ" }, "bad_setting", "CAIRN_MODEL_LOWERING must be native or flat"],
    ["offline", { CAIRN_MODEL_PROTOCOL: "telepathy" }, "bad_setting", "CAIRN_MODEL_PROTOCOL must be native or text"],
    ["offline", { CAIRN_MODEL_MAX_OUTPUT_TOKENS: "lots" }, "bad_setting", "CAIRN_MODEL_MAX_OUTPUT_TOKENS"],
    ["openai", {}, "bad_model_name", "openai:<id>"],
    ["openai:", {}, "bad_model_name", "openai:<id>"],
    ["constructor:x", {}, "bad_model_name", "anthropic:<id>"],
    ["", {}, "bad_model_name", "offline"],
  ])("%s with %o: %s", async (name, env, code, word) => {
    await expect(resolveModel(name, env)).rejects.toMatchObject({ code, message: expect.stringContaining(word) });
  });

  it("a package that is not installed, with the package to install", async () => {
    const load = () => Promise.reject(new Error("Cannot find package"));
    await expect(resolveModel("openai:x", { OPENAI_API_KEY: "k" }, { load })).rejects.toMatchObject({
      code: "model_package_missing",
      message: expect.stringContaining("npm install @ai-sdk/openai"),
    });
    await expect(resolveModel("openai:x", { OPENAI_API_KEY: "k" }, { load: async () => ({}) })).rejects.toMatchObject({
      code: "model_package_missing",
    });
  });
});

it("limits in the environment override those of the catalogue", async () => {
  const env = { ANTHROPIC_API_KEY: "k", CAIRN_MODEL_CONTEXT_TOKENS: "5000", CAIRN_MODEL_MAX_OUTPUT_TOKENS: "700" };
  expect(await resolveModel("anthropic:claude-opus-5-5", env)).toMatchObject({
    contextTokens: 5_000,
    maxOutputTokens: 700,
  });
});

it("a reasoning budget is capped below the output limit of the model, and the user is told", async () => {
  await using simulator = await ModelSimulator.start({ countTokens });
  simulator.script([{ reply: { text: "Hello!" }, times: 2 }]);
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: simulator.baseUrl, CAIRN_MODEL_MAX_OUTPUT_TOKENS: "700" };
  const model = await resolveModel("anthropic:claude-haiku-4-5", env);
  const ask = (budgetTokens: number) => {
    const request = { ...plainRequest(), settings: { reasoning: { budgetTokens } } };
    return Array.fromAsync(model.stream(request, { signal: new AbortController().signal }));
  };
  expect(await ask(200_000)).toContainEqual({
    type: "left_out",
    settings: ["reasoning.budget_tokens (at most 62976 tokens are used)"],
  });
  expect(await ask(20_000)).not.toContainEqual(expect.objectContaining({ type: "left_out" }));
  const sent = simulator.requests.map(({ body }) => [body?.max_tokens, body?.thinking]);
  expect(sent).toEqual([
    [63_076, { type: "enabled", budget_tokens: 62_976 }],
    [20_100, { type: "enabled", budget_tokens: 20_000 }],
  ]);
});

it("compatible servers are sent native history, except models that are known to refuse it", async () => {
  const env = { CAIRN_MODEL_BASE_URL: "http://127.0.0.1" };
  const loweringOf = async (id: string, chosen?: string) =>
    (await resolveModel(`openai-compatible:${id}`, { ...env, CAIRN_MODEL_LOWERING: chosen })).loweringOf?.({});
  const mistral = ["mistral-large-latest", "mistralai/Devstral-Small-2-24B", "ministral-3"];
  const flat = [
    "gemma3:12b",
    "google/gemma-2-9b-it",
    "llama3.2",
    "meta-llama/Llama-3.3-70B-Instruct",
    "gemini-3.8-flash",
  ];
  const native = ["qwen3-coder", "gpt-oss:20b", "deepseek-v4-pro", "gemma4:27b", "grok-4", "llama-4-scout", "x"];
  for (const id of [...mistral, ...flat]) expect([id, await loweringOf(id)]).toEqual([id, FLAT_2]);
  for (const id of native) expect([id, await loweringOf(id)]).toEqual([id, NATIVE_2]);
  for (const id of mistral) expect([id, await loweringOf(id, "native")]).toEqual([id, FLAT_2]);
  for (const id of flat) expect([id, await loweringOf(id, "native")]).toEqual([id, NATIVE_2]);
  for (const id of native) expect([id, await loweringOf(id, "flat")]).toEqual([id, FLAT_2]);
});

it("DeepSeek's and Kimi's thinking models take their reasoning back", async () => {
  const env = { CAIRN_MODEL_BASE_URL: "http://127.0.0.1" };
  const keeps = async (id: string) => (await resolveModel(`openai-compatible:${id}`, env)).keepsReasoning;
  for (const id of [
    "deepseek-v4-flash",
    "deepseek/deepseek-v3.2",
    "deepseek-reasoner",
    "kimi-k2.6",
    "moonshotai/kimi-k3",
  ])
    expect([id, await keeps(id)]).toEqual([id, true]);
  for (const id of ["deepseek-r1:8b", "deepseek-coder-v2", "kimi-k2-0905-preview", "qwen3-max", "gpt-oss:20b"])
    expect([id, await keeps(id)]).toEqual([id, false]);
});

it("explicit breakpoints begin with GPT-5.6", () => {
  for (const id of ["gpt-5.6", "gpt-5.6-terra", "gpt-6-luna", "gpt-6.1-sol", "gpt-10"])
    expect([id, openai.cacheRules(id)]).toEqual([id, "openai"]);
  for (const id of ["gpt-4.1", "gpt-4o", "gpt-5", "gpt-5.5-2026-04-23", "gpt-5-mini", "o3", "chatgpt-6"])
    expect([id, openai.cacheRules(id)]).toEqual([id, "automatic"]);
  expect(google.cacheRules("gpt-6")).toBe("automatic");
});

it.each(["anthropic:claude-sonnet-5-5", "openai:gpt-6.1-sol", "google:gemini-4-argon", "openai-compatible:gpt-4.1"])(
  "a request to %s is serialised without a key and without a server, always in the same way",
  async (name) => {
    const bodies: unknown[] = [];
    for (let nth = 0; nth < 2; nth++) {
      const spelled = await (await resolveSpeller(name)).spell?.(plainRequest());
      expect(spelled?.speller).toMatch(new RegExp(`^@ai-sdk/${name.split(":", 1)[0]} \\d+\\.\\d+\\.\\d+$`));
      bodies.push(spelled?.body);
    }
    expect(bodies[1]).toBe(bodies[0]);
    expect(String(bodies[0])).toContain("Hello.");
  },
);

it("a dated snapshot has the facts of its model; an unknown model has those of its provider and no price", () => {
  expect(factsOf(anthropic, "claude-haiku-4-5-20251001")).toBe(factsOf(anthropic, "claude-haiku-4-5"));
  expect(factsOf(openai, "gpt-4.1-2025-04-14").prices).toBeDefined();
  expect(factsOf(anthropic, "__proto__").prices).toBeUndefined();
});
