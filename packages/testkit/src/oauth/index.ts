/** An MCP server that requires a login, with its authorization server. */
export { ProtectedServer } from "./protected-server.ts";
export { visit } from "./visit.ts";
