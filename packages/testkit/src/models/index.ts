/** The model providers of `cairn-agent/testing/wire`, for the tests of this project. */
export {
  type ApiName,
  type FaultReply,
  type Interruption,
  type MessageReply,
  type ModelRequest,
  ModelSimulator,
  type PromptUsage,
  type RecordedRequest,
  type Reply,
  type ScriptedCall,
  type SimulatorOptions,
  type Step,
  type ToolResult,
} from "cairn-agent/testing/wire";
export { simulatorEnv } from "./simulator-env.ts";
