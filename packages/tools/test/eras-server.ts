/** MCP servers over standard streams that know only one side of the change of 2026-07-28. */
import { type CallToolResult, inputRequired, McpServer, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const era = process.argv[2];

const ask = (message: string) => ({
  message,
  requestedSchema: { type: "object" as const, properties: { size: { type: "string" as const } }, required: ["size"] },
});

function makeServer(): McpServer {
  const server = new McpServer({ name: "eras", version: "1.0.0" });
  server.registerTool("hello", { description: "Greets." }, () => ({ content: [{ type: "text", text: "hello" }] }));
  server.registerTool("order", { description: "Orders." }, async ({ mcpReq }) => {
    const text = (answer: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(answer) }] });
    if (era !== "modern") return text(await server.server.elicitInput(ask("Which size?")));
    const { inputResponses = {} } = mcpReq;
    const state = mcpReq.requestState<string>();
    if (state === undefined) {
      const inputRequests = {
        a: inputRequired.elicit(ask("Which size?")),
        b: inputRequired.elicit(ask("Which colour?")),
      };
      return inputRequired({ inputRequests, requestState: "first" });
    }
    if (state !== "first") return text(inputResponses.sure);
    const said = ["a", "b"].map((key) => JSON.parse(JSON.stringify(inputResponses[key])).content.size);
    const inputRequests = { sure: inputRequired.elicit(ask(`Sure about ${said.join(" and ")}?`)) };
    return inputRequired({ inputRequests, requestState: "second" });
  });
  return server;
}

/** Runs every call as a task of the extension. The task asks once, and reports its status. */
function makeTaskServer(): Server {
  const extensions = { "io.modelcontextprotocol/tasks": {} };
  const server = new Server({ name: "tasks", version: "1.0.0" }, { capabilities: { tools: {}, extensions } });
  const tool = { name: "bake", description: "Bakes.", inputSchema: { type: "object" as const } };
  server.setRequestHandler("tools/list", () => ({ tools: [tool], ttlMs: 0, cacheScope: "private" as const }));
  const now = "2026-01-01T00:00:00Z";
  const task = { taskId: "t1", createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 100 };
  const state = { status: "input_required", answer: {} as unknown, polls: 0 };
  server.setRequestHandler(
    "tools/call",
    () => ({ resultType: "task", ...task, status: "working" }) as unknown as CallToolResult,
  );
  const params = z.looseObject({ taskId: z.literal("t1") });
  const inputRequests = { size: inputRequired.elicit(ask("Which size?")) };
  server.setRequestHandler("tasks/get", { params }, () => {
    const statusMessage = `${state.status} ${++state.polls}`;
    if (state.status === "input_required") return { ...task, status: state.status, statusMessage, inputRequests };
    if (state.status === "cancelled" || state.polls < 5) return { ...task, status: state.status, statusMessage };
    const content = [{ type: "text", text: JSON.stringify(state.answer) }];
    return { ...task, status: "completed", result: { content } };
  });
  server.setRequestHandler("tasks/update", { params }, (_, { mcpReq }) => {
    Object.assign(state, { status: "working", answer: mcpReq.inputResponses });
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params }, () => {
    state.status = "cancelled";
    return {};
  });
  return server;
}

if (era === "tasks") serveStdio(makeTaskServer, { legacy: "reject" });
if (era === "modern") serveStdio(makeServer, { legacy: "reject" });
if (era === "strict") {
  // The server ends when the first message is not the old handshake, as servers on some older libraries do.
  process.stdin.once("data", (chunk: Buffer) => {
    if (!chunk.toString("utf8").includes('"initialize"')) process.exit(1);
  });
  await makeServer().connect(new StdioServerTransport());
}
