/** Tools of MCP servers, with the agent's tool interface. */
export { type ConnectOptions, connectMcp, type McpTools, type PeoplesServer } from "./connect-mcp.ts";
export { KeptLogin, type Secrets } from "./kept-login.ts";
export { type McpConfig, type McpServerConfig, parseMcpConfig } from "./mcp-config.ts";
export { readMcpJson } from "./mcp-json.ts";
export { beginLogin, type LoginOptions, type McpLogin } from "./mcp-login.ts";
export type { ListedPrompt } from "./mcp-prompt.ts";
export { takesLogin } from "./mcp-server.ts";
