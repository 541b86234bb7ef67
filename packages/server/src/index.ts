/** The HTTP server for conversations: turns, event streams, files, and what the model received. */
export { newToken, type TokenEntry } from "./auth/tokens.ts";
export { type RunningServer, type ServeOptions, startServer } from "./serve.ts";
