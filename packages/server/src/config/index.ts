/** Configuration, for everything that runs turns: the server and the command line. */
export { loadSettings } from "./load-config.ts";
export { LOCAL_SCOPE, workspaceFolder } from "./local-data.ts";
export { resolveAgent } from "./resolve-agent.ts";
export { SETTINGS, type Setting } from "./setting-table.ts";
export type { ServerSettings, Settings } from "./settings.ts";
