/** MCP servers over standard streams that know only one side of the change of 2026-07-28. */
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

function makeServer(): McpServer {
  const server = new McpServer({ name: "eras", version: "1.0.0" });
  server.registerTool("hello", { description: "Greets." }, () => ({ content: [{ type: "text", text: "hello" }] }));
  return server;
}

const era = process.argv[2];
if (era === "modern") serveStdio(makeServer, { legacy: "reject" });
if (era === "strict") {
  // Ends when the first message is not the old handshake, as servers on some older libraries do.
  process.stdin.once("data", (chunk: Buffer) => {
    if (!chunk.toString("utf8").includes('"initialize"')) process.exit(1);
  });
  await makeServer().connect(new StdioServerTransport());
}
