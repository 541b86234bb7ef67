/** Tests the agent as an MCP server: the official client library calls it through the real command. */

import { fileURLToPath } from "node:url";
import { childEnv } from "@cairn/testkit/child-env";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliBench } from "../../test/cli-bench.ts";

const BIN = fileURLToPath(new URL("../../bin/cairn.mjs", import.meta.url));
/** A busy machine may take ten times as long as an idle one. */
const PATIENCE_MS = 300_000;
let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.write("cairn.config.json", JSON.stringify({ policies: { "react.write": "ask" } }));
});

afterAll(() => bench[Symbol.asyncDispose]());

interface Asked {
  readonly client: Client;
  readonly questions: string[];
}

/** A client of the old or the new protocol, whose person gives this answer to every question; null: none. */
async function connect(mode: "legacy" | "auto", answer: ElicitResult | null): Promise<Asked> {
  const capabilities = answer === null ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  const questions: string[] = [];
  if (answer !== null)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      questions.push(params.message);
      return answer;
    });
  const env = { ...childEnv(), HOME: bench.folder };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], cwd: bench.folder, env }),
  );
  return { client, questions };
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, never>>;
}

const call = async (client: Client, name: string, args: object, onprogress?: (message: string) => void) =>
  (await client.callTool(
    { name, arguments: { ...args } },
    {
      timeout: PATIENCE_MS,
      ...(onprogress === undefined ? {} : { onprogress: ({ message = "" }) => onprogress(message) }),
    },
  )) as unknown as Result;

describe.each(["legacy", "auto"] as const)("a client with the %s handshake", (mode) => {
  it("asks, approves a call, follows the turn, and finds and reads what was said", async () => {
    const { client, questions } = await connect(mode, { action: "accept", content: { approve: true } });
    const progress: string[] = [];
    const asked = await call(client, "ask", { message: "Write a report about receipts" }, (text) =>
      progress.push(text),
    );
    expect(asked).toMatchObject({ structuredContent: { exit: "complete" } });
    expect(questions).toEqual([expect.stringMatching(/approval to call react\.write with \{/)]);
    expect(progress.join(" ")).toContain("web_tools.web_search");
    const { conversation, turn } = asked.structuredContent;
    const found = await call(client, "search", { query: "receipts", conversation });
    expect(JSON.stringify(found.structuredContent)).toContain(`ar:${turn}`);
    const read = await call(client, "read", { conversation, path: `ar:${turn}.user.prompt` });
    expect(read.content[0]?.text).toBe("Write a report about receipts");
    const listed = await call(client, "list_conversations", {});
    expect(JSON.stringify(listed.structuredContent)).toContain(String(conversation));
    await client.close();
  });
});

it("a person who declines denies the call, and other users' conversations are not found", async () => {
  const { client, questions } = await connect("auto", { action: "decline" });
  const asked = await call(client, "ask", { message: "Write a report about receipts" });
  expect(questions).toHaveLength(1);
  expect(asked.structuredContent).toMatchObject({ files: [] });
  const missing = await call(client, "ask", { message: "Hello", conversation: "none" });
  expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("not_found") }] });
  const nothing = await call(client, "read", { conversation: "none", path: "ar:turn_1.user.prompt" });
  expect(nothing).toMatchObject({ isError: true });
  await client.close();
});

it("a client that cannot ask a person gets an error, and the turn waits for the approval elsewhere", async () => {
  const { client } = await connect("auto", null);
  const isRefused = call(client, "ask", { message: "Write a report about receipts" }).then(
    ({ isError }) => isError === true,
    () => true,
  );
  expect(await isRefused).toBe(true);
  await client.close();
  const { stdout } = await bench.run(["list", "--limit", "1", "--json"]);
  const { conversation } = JSON.parse(stdout);
  expect((await bench.run(["chat", "-c", conversation, "--yes", "--json"])).stdout).toContain('"exit":"complete"');
});
