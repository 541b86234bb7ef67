/** Tools of MCP servers, with the agent's tool interface. */
export { connectMcp, type McpStatus, type McpTools } from "./connect-mcp.ts";
export { type McpConfig, parseMcpConfig } from "./mcp-config.ts";
