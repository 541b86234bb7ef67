/**
 * Tests that a provider is one file and one line: everything that the product says or does about the provider follows
 * from the registry.
 */
import { make } from "@cairn/testkit/conversation";
import { ModelSimulator } from "@cairn/testkit/models";
import { FLAT_2, NATIVE_2, Timeline } from "@cairn/timeline";
import { expect, it } from "vitest";
import { resolveModel, resolveSpeller } from "../../resolve/resolve-model.ts";
import type { ModelRequest } from "../model.ts";
import { setting } from "./environment.ts";
import type { Provider } from "./provider.ts";
import { MODEL_PROVIDERS } from "./registry.ts";

// The file that describes the provider.
const acme: Provider = {
  name: "acme",
  package: "@ai-sdk/openai-compatible",
  create: "createOpenAICompatible",
  keys: ["ACME_KEY"],
  baseUrl: "ACME_URL",
  needs: "`ACME_KEY`",
  settings: (env) => ({
    name: "acme",
    baseURL: setting(env, "ACME_URL") ?? "http://127.0.0.1",
    apiKey: setting(env, "ACME_KEY") ?? "",
  }),
  flat: FLAT_2,
  native: NATIVE_2,
  lowering: () => "flat",
  models: new Map([["anvil-1", { contextTokens: 9_000, maxOutputTokens: 900 }]]),
  defaults: { contextTokens: 4_000, maxOutputTokens: 400 },
  cacheRules: () => "automatic",
  toolNames: { maxLength: 20, startsWithAny: false },
  refusedAtRoot: [],
  schemas: () => ({ keywords: new Set(["type", "properties", "description"]) }),
  files: { count: 2 },
  refusedFiles: [],
  contextLimit: [/the anvil is too heavy/i],
};
// The line that adds the provider to the registry.
const providers = [...MODEL_PROVIDERS, acme];

const countTokens = (text: string) => text.length;
const LONG_NAME = "7.the_name_of_a_tool_that_is_too_long";

function requestOf(): ModelRequest {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Hello.")]);
  return {
    system: "Be brief.",
    view: timeline.render(),
    strategy: "economic",
    ttl: "5m",
    cacheKey: "c",
    tools: [{ name: LONG_NAME, description: "Looks.", schema: { type: "object", minProperties: 1 } }],
    maxOutputTokens: 100,
    readBlob: async () => "",
  };
}

it("an added provider is resolved by its name, with its own limits, tool names, schemas and error texts", async () => {
  await using simulator = await ModelSimulator.start({ countTokens });
  simulator.script([
    { reply: ({ toolNames }) => ({ calls: [{ name: toolNames[0] ?? "", input: {} }] }) },
    { reply: { fault: "status", status: 400, message: "The anvil is too heavy." } },
  ]);
  const env = { ACME_KEY: "k", ACME_URL: simulator.baseUrl };
  const model = await resolveModel("acme:anvil-1", env, { providers });
  expect(model).toMatchObject({ id: "acme:anvil-1", contextTokens: 9_000, maxOutputTokens: 900, files: { count: 2 } });
  expect(model.describeFitting?.(requestOf().tools)).toEqual([expect.stringContaining("minProperties")]);
  const ask = () => Array.fromAsync(model.stream(requestOf(), { signal: new AbortController().signal }));
  expect(await ask()).toContainEqual({ type: "call", index: 0, name: LONG_NAME });
  expect(simulator.requests[0]?.bytes).not.toContain('"minProperties":');
  expect(simulator.requests[0]?.request?.toolNames).toEqual([expect.stringMatching(/^_7__the.{1,14}$/)]);
  await expect(ask()).rejects.toMatchObject({ kind: "context_limit" });
});

it("an added provider is listed in every message about models", async () => {
  await expect(resolveModel("acme:anvil-1", {}, { providers })).rejects.toMatchObject({
    code: "model_key_missing",
    details: { variable: "ACME_KEY" },
  });
  await expect(resolveModel("other:x", {}, { providers })).rejects.toMatchObject({
    message: expect.stringContaining("acme:<id>"),
  });
  expect((await (await resolveSpeller("acme:anvil-1", { providers })).spell?.(requestOf()))?.body).toContain("Hello.");
});

it("names of providers are distinct, and each lists its requirements", () => {
  expect(new Set(MODEL_PROVIDERS.map(({ name }) => name)).size).toBe(MODEL_PROVIDERS.length);
  for (const { keys, needs, baseUrl } of MODEL_PROVIDERS) expect(needs).toContain(keys[0] ?? baseUrl);
});
