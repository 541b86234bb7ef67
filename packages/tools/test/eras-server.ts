/** MCP servers over standard streams that know only one side of the change of 2026-07-28. */
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

const era = process.argv[2];

function makeServer(): McpServer {
  const server = new McpServer({ name: "eras", version: "1.0.0" });
  server.registerTool("hello", { description: "Greets." }, () => ({ content: [{ type: "text", text: "hello" }] }));
  const ask = (message: string) => ({
    message,
    requestedSchema: { type: "object" as const, properties: { size: { type: "string" as const } }, required: ["size"] },
  });
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

if (era === "modern") serveStdio(makeServer, { legacy: "reject" });
if (era === "strict") {
  // Ends when the first message is not the old handshake, as servers on some older libraries do.
  process.stdin.once("data", (chunk: Buffer) => {
    if (!chunk.toString("utf8").includes('"initialize"')) process.exit(1);
  });
  await makeServer().connect(new StdioServerTransport());
}
