/** The agent as an MCP server, for any transport. */
export { agentServer } from "./agent-server.ts";
export { RequestStates } from "./request-states.ts";
export type { Talk } from "./talk.ts";
