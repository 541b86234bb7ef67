/** Tests the agent as an MCP server in this process, with a tool whose calls need approval. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentDefinition, defineAgent, defineTool } from "@cairn/agent";
import { RequestStates } from "@cairn/server/mcp";
import { openEmbeddedStore } from "@cairn/store";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { tool } from "cairn-agent";
import { readSettings } from "cairn-agent/process";
import { scriptedModel } from "cairn-agent/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import { openAdmission } from "../chat/conversation/admission.ts";
import { localServer } from "./serve-stdio.ts";

/** The server of the agent, and a client whose person approves everything. Returns the answer and the questions. */
async function ask(agent: AgentDefinition, message: string) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-agent-server-"));
  const store = await openEmbeddedStore({ dir: folder });
  const owner = { tenant: "local", project: "default", user: "me" };
  const opened = { agent, problems: [], [Symbol.asyncDispose]: async () => undefined };
  const admission = openAdmission(readSettings(null, { CAIRN_DATA_DIR: folder }, folder), store, opened, {});
  const countTokens = (text: string) => text.length;
  const failures: unknown[] = [];
  const warn = (problem: unknown) => failures.push(problem);
  const key = randomBytes(32);
  const states = new RequestStates(async () => key, owner);
  const server = localServer({ store, owner, states, agent, admission, countTokens, dataDir: folder, warn });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  const questions: string[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    questions.push(params.message);
    return { action: "accept", content: { approve: true } };
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  const answer = await client.callTool({ name: "ask", arguments: { message } });
  await client.close();
  await store.close();
  await rm(folder, { recursive: true });
  expect(failures).toEqual([]);
  return { answer, questions };
}

it("a person approves calls whose parameters the question shows, and is not asked about those that are too long", async () => {
  const ordered: string[] = [];
  const order = defineTool({
    id: "shop.order",
    description: "Orders something.",
    params: z.object({ what: z.string() }),
    approval: "always",
    run: async ({ what }) => {
      ordered.push(what);
      return { ok: true, error: null, ret: {} };
    },
  });
  const calls = ["tea", `${"a".repeat(5_000)} and a yacht`].map((what) => ({ call: "shop.order", input: { what } }));
  const agent = defineAgent({ name: "a", instructions: "Help.", model: scriptedModel([{ calls }]), tools: [order] });
  const { answer, questions } = await ask(agent, "Order");
  expect(questions).toEqual(['Cairn asks for your approval to call shop.order with {"what":"tea"}']);
  expect(ordered).toEqual(["tea"]);
  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/too long.*cairn chat -c/) }],
  });
});

it("a call that its client runs can only be refused, and the turn goes on", async () => {
  const place = tool({ name: "page.place", description: "Where the user is.", input: z.object({}) });
  const model = scriptedModel([{ call: "page.place" }, { say: "Somewhere." }]);
  const agent = defineAgent({ name: "a", instructions: "Help.", model, tools: [place] });
  const { answer, questions } = await ask(agent, "Where am I?");
  expect(questions).toEqual([expect.stringContaining("page.place waits for its client")]);
  expect(answer).toMatchObject({ isError: false, content: [{ text: "Somewhere." }] });
});
