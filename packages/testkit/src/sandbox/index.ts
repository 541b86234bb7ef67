/** Sandboxes, and attacks that try to escape from them. */
export { ATTACKS, controlSuite, escapeSuite } from "./escape-suite.ts";
export { leftRunning } from "./left-running.ts";
export { sandboxSuite } from "./sandbox-suite.ts";
export { tryBubblewrap, tryDeno } from "./tried-sandboxes.ts";
