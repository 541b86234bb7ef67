/**
 * The client under test: the product's MCP client, which calls the tools of a server in turns of an agent, and logs in
 * when the server requires it. The person who logs in agrees to everything.
 *
 * A scenario that needs certain calls names them in its context. In all others, every tool is called once with the
 * smallest parameters that its schema allows.
 */
import { type AnyTool, answerApproval, reactTools, resolveModel } from "@cairn/agent";
import { CairnError, type JsonObject, makeEvent } from "@cairn/timeline";
import {
  beginLogin,
  connectMcp,
  type LoginOptions,
  type McpServerConfig,
  type McpTools,
  parseMcpConfig,
  type Secrets,
} from "@cairn/tools/mcp";
import { z } from "zod";
import { callOf, playTurn, TurnBench } from "../turns/index.ts";

const SERVER = "suite";
const REDIRECT = "http://127.0.0.1:3000/callback";
/** The address of a document by which the suite identifies the client. */
const CLIENT_METADATA = "https://conformance-test.local/client-metadata.json";
const MAX_LOGINS = 3;

const scenarioSchema = z.object({
  url: z.string(),
  context: z.looseObject({
    toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    issuer: z.string().optional(),
  }),
});

interface Call {
  readonly id: string;
  readonly params: JsonObject;
}

export async function runClient(given: unknown): Promise<void> {
  const { url, context } = scenarioSchema.parse(given);
  const { client_id, client_secret, issuer, toolCalls } = context;
  const oauth =
    client_id === undefined ? { client_metadata_url: CLIENT_METADATA } : { client_id, client_secret, issuer };
  const config = { [SERVER]: { url, allow: "all" as const, approval: "never" as const, oauth } };
  const secrets = secretsInMemory();
  let findTools: McpTools["findTools"] = async () => [];
  await using bench = await TurnBench.open({
    agent: { tools: reactTools(), findTools: (owner, signal) => findTools(owner, signal) },
    // The tools as an application gets them: their names and schemas are fitted to the provider.
    model: (baseUrl) =>
      resolveModel("anthropic:claude-sonnet-5", { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: baseUrl }),
  });
  const { tenant, project, user } = bench.key;
  const owner = { tenant, project, user };
  const login = loginAt(parseMcpConfig(config).get(SERVER), { secrets, owner });
  const mcp = await connectMcp(config, { secrets, owner });
  try {
    findTools = mcp.findTools;
    const isMissing = mcp.problems.some((problem) => problem.includes("requires a login"));
    if (mcp.problems.length > 0 && !isMissing) throw new Error(mcp.problems.join("\n"));
    let tools = mcp.tools;
    while (isMissing && tools.length === 0) {
      await login();
      tools = await mcp.findTools(owner, new AbortController().signal);
    }
    const calls = toolCalls?.map(({ name, arguments: params }) => ({ id: idOf(name), params })) ?? everyTool(tools);
    for (const { id, params } of calls)
      for (;;) {
        const { blocks } = await playTurn(bench, [callOf(id, params)]);
        await answerQuestions(bench);
        const result = blocks.map(({ text = "" }) => text).join("\n");
        if (result.includes("There is no tool")) throw new Error(result);
        if (!result.includes("requires a login")) break;
        await login();
      }
  } finally {
    await mcp.close();
  }
}

/** Answers every question of the server. Fields with a default are left out, so that they get the default. */
async function answerQuestions(bench: TurnBench): Promise<void> {
  for (;;) {
    const { approvalsRequested } = (await bench.store.load(bench.key)).state;
    if (approvalsRequested.size === 0) return;
    for (const asked of approvalsRequested.values()) {
      const { properties = {} } = asked.question?.form ?? {};
      const answer = Object.fromEntries(
        Object.entries(properties as Readonly<Record<string, JsonObject>>).flatMap(([name, field]) =>
          field.default === undefined ? [[name, sampleOf(field)]] : [],
        ),
      );
      const given = answerApproval(bench.key, asked, { approve: true, answer, ts: new Date().toISOString() });
      await bench.append(makeEvent("approval.given", given));
    }
    await bench.run();
  }
}

/** Logs in a person who agrees to everything, a few times at most. */
function loginAt(server: McpServerConfig | undefined, whose: Pick<LoginOptions, "secrets" | "owner">) {
  let logins = 0;
  return async () => {
    if (server === undefined || !("url" in server)) throw new Error("The server is not configured.");
    if (++logins > MAX_LOGINS) throw new Error(`The server still requires a login after ${MAX_LOGINS} logins.`);
    const signal = new AbortController().signal;
    const begun = await beginLogin(SERVER, server, { ...whose, redirectUrl: REDIRECT, signal });
    if (begun === null) return;
    const answer = await fetch(begun.address, { redirect: "manual" });
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`The authorization server answered ${answer.status}.`);
    await begun.finish(new URL(location).searchParams);
  };
}

export function describeFailure(error: unknown): string {
  return CairnError.is(error) || !(error instanceof Error) ? String(error) : (error.stack ?? error.message);
}

function idOf(name: string): string {
  return `mcp.${SERVER}.${name}`;
}

function secretsInMemory(): Secrets {
  const values = new Map<string, string>();
  return {
    read: async (owner, name) => values.get(JSON.stringify([owner, name])) ?? null,
    write: async (owner, name, value) => void values.set(JSON.stringify([owner, name]), value),
    update: async (owner, name, change) => {
      const value = values.get(JSON.stringify([owner, name]));
      if (value !== undefined) values.set(JSON.stringify([owner, name]), change(value));
    },
    delete: async (owner, name) => values.delete(JSON.stringify([owner, name])),
  };
}

function everyTool(tools: readonly AnyTool[]): readonly Call[] {
  return tools.map(({ id, schema }) => ({ id, params: smallest(schema ?? {}, tools) }));
}

/** A parameter named `schema` asks for the schema of another tool, as the client received it. */
function smallest(schema: JsonObject, tools: readonly AnyTool[]): JsonObject {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const required = (schema.required ?? []) as readonly string[];
  const received = tools.find((tool) => tool.schema !== schema)?.schema ?? {};
  return Object.fromEntries(
    required.map((name) => [name, name === "schema" ? received : sampleOf(properties[name] ?? {})]),
  );
}

function sampleOf({ type, enum: choices }: JsonObject): JsonObject[string] {
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  switch (type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "text";
  }
}
