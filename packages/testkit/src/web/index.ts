/** The web app behind the real server, for tests in a browser. */

export { newToken } from "@cairn/server";
export { buildApp } from "@cairn/web/build";
export { AppBench } from "./app-bench.ts";
export { benchTools } from "./bench-tools.ts";
export { Gate } from "./gate-tool.ts";
export { playInspectedConversation } from "./inspected-conversation.ts";
export { startMountedApp } from "./mounted-app.ts";
export { findsParts, quoteOf, surveyTool } from "./survey-tool.ts";
