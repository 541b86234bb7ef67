/**
 * An MCP server for tests, over standard streams when run as a program (`node test-server.ts <behaviour>`), or over a
 * test's own transport. Its tools answer with every kind of content; some misbehave.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

export const PNG_BASE64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let calls = 0;

export function makeTestServer(): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const text = (text: string) => ({ content: [{ type: "text" as const, text }] });
  server.registerTool(
    "weather",
    {
      description: "The weather of a city.",
      inputSchema: { city: z.string().min(1).describe("Its name"), days: z.number().int().max(7).optional() },
      outputSchema: { city: z.string(), degrees: z.number() },
      annotations: { readOnlyHint: true },
    },
    async ({ city }) => {
      const structuredContent = { city, degrees: 21 };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool("everything", { description: "One of each.", inputSchema: {} }, async () => ({
    content: [
      { type: "text", text: "first text" },
      { type: "image", data: PNG_BASE64, mimeType: "image/png" },
      { type: "audio", data: Buffer.from("not really sound").toString("base64"), mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///notes/today.md", mimeType: "text/markdown", text: "# Today" } },
      {
        type: "resource",
        resource: { uri: "file:///data/t%20able.bin", blob: Buffer.from([1, 2, 3]).toString("base64") },
      },
      { type: "resource_link", uri: "https://example.com/more", name: "more", description: "There is more." },
    ],
  }));
  server.registerTool("count", { description: "How often this was called.", inputSchema: {} }, async () =>
    text(`${++calls}`),
  );
  server.registerTool("env", { description: "Its environment.", inputSchema: {} }, async () =>
    text(JSON.stringify(process.env)),
  );
  server.registerTool(
    "slow",
    { description: "Takes its time.", inputSchema: { ms: z.number() } },
    async ({ ms }, { signal }) => {
      await sleep(ms, undefined, { signal });
      return text("done at last");
    },
  );
  server.registerTool(
    "busy",
    { description: "Reports progress.", inputSchema: {} },
    async (_, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (let progress = 1; progress <= 20 && progressToken !== undefined; progress++) {
        await sleep(100);
        await sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: 20 } });
      }
      return text("done");
    },
  );
  server.registerTool("nothing", { description: "Answers with nothing.", inputSchema: {} }, async () => ({
    content: [],
  }));
  server.registerTool("fails", { description: "Says that it failed.", inputSchema: {} }, async () => ({
    isError: true,
    content: [{ type: "text", text: "There is no such city." }],
  }));
  server.registerTool("dies", { description: "Ends its process.", inputSchema: {} }, async () => process.exit(3));
  server.registerTool("long", { description: "Says a lot.", inputSchema: {} }, async () =>
    text("word ".repeat(100_000)),
  );
  server.registerTool("grows", { description: "Gives the server another tool.", inputSchema: {} }, async () => {
    server.registerTool("aaa_new", { description: "New.", inputSchema: {} }, async () => text("new"));
    return text("grown");
  });
  return server;
}

/** A server with valid but inconvenient names and schemas. */
function makeOddServer(): Server {
  const server = new Server({ name: "odd", version: "1.0.0" }, { capabilities: { tools: {} } });
  const beyond = { type: "object" as const, properties: { x: { $ref: "https://elsewhere.example/schema.json" } } };
  const plain = {
    type: "object" as const,
    properties: { $schema: {}, n: { type: "integer", minimum: 3 } },
    required: ["n"],
  };
  const names = ["with space", "with/space", "..dots..", "ünïcode", "l".repeat(200), "beyond"];
  const tools = names.map((name) => ({ name, inputSchema: name === "beyond" ? beyond : plain }));
  // The list has two pages; the second contains the first names in sort order.
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === "2" ? { tools: [{ name: "a", inputSchema: plain }] } : { tools, nextCursor: "2" },
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: `${params.name} ${JSON.stringify(params.arguments)}` }],
  }));
  return server;
}

/** A server whose tool has a union at the root of its schema, which several providers reject. */
function makeUnionServer(): Server {
  const server = new Server({ name: "union", version: "1.0.0" }, { capabilities: { tools: {} } });
  const inputSchema = {
    type: "object" as const,
    properties: { name: { type: "string", pattern: "^[a-z]+$" }, number: { type: "integer" } },
    anyOf: [{ required: ["name"] }, { required: ["number"] }],
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "find", inputSchema }] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: `found ${JSON.stringify(params.arguments)}` }],
  }));
  return server;
}

/** A server with duplicate and empty names, an endless list, and a line that never ends. */
function makeCarelessServer(): Server {
  const server = new Server({ name: "careless", version: "1.0.0" }, { capabilities: { tools: {} } });
  const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" as const } });
  let pages = 0;
  const first = { ...tool("a", "the \u202efirst\u001b"), title: "A\u202e\u001b b" };
  const tools = [first, tool("a", "the second"), tool("", "no name"), tool("endless", "never ends")];
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools,
    nextCursor: behaviour === "pages" ? `${++pages}` : "again",
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name === "endless") pourOut();
    return { content: [{ type: "text", text: params.name }] };
  });
  return server;
}

/** A server that returns more and longer links than anyone reads. Each of its resources is 25 files. */
function makeLinksServer(): Server {
  const server = new Server({ name: "links", version: "1.0.0" }, { capabilities: { tools: {}, resources: {} } });
  const inputSchema = { type: "object" as const };
  const link = (name: string, more = {}) => ({ type: "resource_link" as const, uri: `doc://${name}`, name, ...more });
  const long = "x".repeat(50_000);
  const many = [
    link("first", { title: long, description: long, mimeType: long }),
    link("endless", { uri: `doc://${long}` }),
    ...Array.from({ length: 100 }, (_, nth) => link(`n${nth}`)),
  ];
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ["fails", "many"].map((name) => ({ name, inputSchema })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    params.name === "many"
      ? { content: many }
      : { isError: true, content: [{ type: "text", text: "Log in first." }, link("login")] },
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
    contents: Array.from({ length: 25 }, (_, nth) => ({ uri: `${params.uri}/f${nth}`, blob: "AQID" })),
  }));
  return server;
}

function pourOut(): void {
  const piece = "x".repeat(1_000_000);
  while (process.stdout.write(piece));
  process.stdout.once("drain", pourOut);
}

const behaviour = process.argv[1]?.endsWith("test-server.ts") === true ? (process.argv[2] ?? "serve") : null;
if (behaviour === "serve") await makeTestServer().connect(new StdioServerTransport());
if (behaviour === "odd") await makeOddServer().connect(new StdioServerTransport());
if (behaviour === "union") await makeUnionServer().connect(new StdioServerTransport());
if (behaviour === "careless" || behaviour === "pages") await makeCarelessServer().connect(new StdioServerTransport());
if (behaviour === "links") await makeLinksServer().connect(new StdioServerTransport());
if (behaviour === "pours") pourOut();
if (behaviour === "refuse") {
  console.error("missing setting: TOKEN");
  process.exit(2);
}
if (behaviour === "silent") process.stdin.resume();
if (behaviour === "garbage") setInterval(() => process.stdout.write("this is no JSON\n"), 10);
