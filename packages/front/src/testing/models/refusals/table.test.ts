/** Tests that the server enforces every rule of the table: it rejects the rule's example with the rule's error. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServerName } from "../body/server-name.ts";
import { ModelSimulator } from "../model-simulator.ts";
import type { ApiName } from "../script/model-request.ts";
import { SIZES } from "./sizes.ts";
import { REFUSALS, type TableRow } from "./table.ts";

const simulators = new Map<ServerName | null, ModelSimulator>();
beforeAll(async () => {
  for (const server of new Set(REFUSALS.map((row) => row.server))) {
    const simulator = await ModelSimulator.start({ countTokens: () => 1, ...(server === null ? {} : { server }) });
    simulator.script([{ reply: { text: "ok" }, times: Number.POSITIVE_INFINITY }]);
    simulators.set(server, simulator);
  }
});
afterAll(() => Promise.all([...simulators.values()].map((simulator) => simulator.close())));

const PATHS: Readonly<Record<ApiName, string>> = {
  anthropic: "/messages",
  "openai-responses": "/responses",
  "openai-chat": "/chat/completions",
  google: "/models/gemini-4-argon:generateContent",
  bedrock: "/model/amazon.nova-2-lite-v1%3A0/converse",
};
const HEADERS = {
  "content-type": "application/json",
  "x-api-key": "k",
  "anthropic-version": "2023-06-01",
  authorization: "Bearer k",
  "x-goog-api-key": "k",
};

async function send({ api, server, example }: TableRow) {
  const simulator = simulators.get(server);
  if (simulator === undefined) throw new Error(`No simulator of ${server}.`);
  const body = JSON.stringify(example);
  const response = await fetch(`${simulator.baseUrl}${PATHS[api]}`, { method: "POST", headers: HEADERS, body });
  return { status: response.status, text: await response.text(), recorded: simulator.requests.at(-1) };
}

/** The rules by error, because two examples with the same error would not prove two rules. */
const reasons = new Map<string, string>();

it.each(REFUSALS.map((row) => [`${row.server ?? row.api}: ${row.rule}`, row] as const))("%s", async (name, row) => {
  expect(row.source).toMatch(/^https:\/\/\S+$/);
  expect(row.date).toMatch(/^20\d\d-\d\d-\d\d$/);
  expect(row.rule).toMatch(/^[A-Z].+\.$/);
  const { status, text, recorded } = await send(row);
  expect([status, text]).toEqual([row.status, expect.stringContaining("error")]);
  expect(recorded?.step).toBeNull();
  const reason = `${row.server ?? row.api} ${text.replaceAll(/\d+/g, "0")}`;
  expect(reasons.get(reason) ?? name).toBe(name);
  reasons.set(reason, name);
});

it("every API and every family of chat templates has rules", () => {
  const about = (name: string) =>
    new Set(REFUSALS.filter((row) => (row.server ?? row.api) === name).map((row) => row.about));
  for (const api of Object.keys(PATHS))
    expect([...about(api)]).toEqual(expect.arrayContaining(["pairs", "names", "schemas", "counts"]));
  for (const family of ["mistral", "gemma", "qwen", "llama"]) expect(about(family).size).toBeGreaterThan(0);
});

it("a body over the size limit of its API is rejected", async () => {
  const body = Buffer.alloc(SIZES.anthropic.maxBytes + 1, 0x20);
  const url = `${simulators.get(null)?.baseUrl}/messages`;
  const response = await fetch(url, { method: "POST", headers: HEADERS, body });
  expect(response.status).toBe(413);
});
