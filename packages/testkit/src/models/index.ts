/** Model providers on a local socket: scripted, strict, with prompt caches, and with every kind of failure. */
export type { PromptUsage } from "./cache/prompt-cache.ts";
export { ModelSimulator } from "./model-simulator.ts";
export type { RecordedRequest } from "./recorded-request.ts";
export type { ApiName, ModelRequest, ToolResult } from "./script/model-request.ts";
export type { FaultReply, Interruption, MessageReply, Reply, ScriptedCall } from "./script/reply.ts";
export type { Step } from "./script/script.ts";
export type { SimulatorOptions } from "./simulator-options.ts";
