/** The parts of a process that runs turns: its settings, its store, its agents and its audit log. */
export { type AuditLine, type AuditLog, openAudit } from "./audit/audit-log.ts";
export { openConfiguredSearch } from "./built-in/agent-tools.ts";
export { mcpPlaces, mcpServers } from "./built-in/mcp-servers.ts";
export { type OpenedAgent, openAgent } from "./built-in/open-agent.ts";
export { foundContent } from "./content/found-content.ts";
export { newConversationId } from "./data/conversation-id.ts";
export { removeLeftWorkspaces } from "./data/left-workspaces.ts";
export { LOCAL_SCOPE, workspaceFolder } from "./data/local-data.ts";
export { type OpenedStore, openStore } from "./data/open-store.ts";
export { SecretBox } from "./data/secrets.ts";
export { Undo } from "./data/undo.ts";
export { checkOptions, type OptionKinds } from "./define/check-options.ts";
export { loadSettings } from "./settings/load-config.ts";
export { limitsOf } from "./settings/message-limits.ts";
export { isSafeAddress, type OidcSettings, type ScopeSource } from "./settings/oidc-settings.ts";
export { type ScopeLimits, scopeLimits, type TimeShares } from "./settings/scope-limits.ts";
export { readSettings, SETTINGS, type ServerSettings, type Settings } from "./settings/settings.ts";
