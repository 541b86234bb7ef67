/** Conversations over HTTP: turns, event streams, files, and what the model saw. */
export { newToken, type TokenEntry } from "./auth/tokens.ts";
export { type RunningServer, type ServeOptions, startServer } from "./serve.ts";
