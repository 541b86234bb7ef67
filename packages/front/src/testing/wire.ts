/** Simulated model providers on a local socket, with scripts, the providers' rules, prompt caches and failures. */

export { CacheSimulator, type RequestCost } from "./cache/cache-simulator.ts";
export type { DescribedBlock } from "./cache/described-block.ts";
export { type ConversationPrice, priceRequests } from "./cache/price-requests.ts";
export { refuseBody, refuseInvalid } from "./cache/refuse.ts";
export type { TimedRequest } from "./cache/timed-request.ts";
export type { ServerName } from "./models/body/server-name.ts";
export type { Prompt } from "./models/cache/prompt.ts";
export type { PromptUsage } from "./models/cache/prompt-cache.ts";
export { ModelSimulator } from "./models/model-simulator.ts";
export type { RecordedRequest } from "./models/recorded-request.ts";
export type { ApiName, ModelRequest, ToolResult } from "./models/script/model-request.ts";
export type { FaultReply, Interruption, MessageReply, Reply, ScriptedCall } from "./models/script/reply.ts";
export type { Step } from "./models/script/script.ts";
export type { SimulatorOptions } from "./models/simulator-options.ts";
