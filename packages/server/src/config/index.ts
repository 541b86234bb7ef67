/** Configuration, for everything that runs turns: the server and the command line. */
export { openAudit } from "../audit/audit-log.ts";
export { searchSettingOf } from "./agent-tools.ts";
export { removeLeftWorkspaces } from "./left-workspaces.ts";
export { loadSettings } from "./load-config.ts";
export { LOCAL_SCOPE, workspaceFolder } from "./local-data.ts";
export { type OpenedAgent, openAgent } from "./open-agent.ts";
export { type OpenedStore, openStore } from "./open-store.ts";
export { SETTINGS, type Setting } from "./setting-table.ts";
export type { ServerSettings, Settings } from "./settings.ts";
