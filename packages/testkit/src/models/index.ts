/** The model providers of `cairn-agent/testing/wire`, for the tests of this project. */
export {
  type ApiName,
  type MessageReply,
  type ModelRequest,
  ModelSimulator,
  type RecordedRequest,
  type Reply,
  type SimulatorOptions,
  type Step,
} from "cairn-agent/testing/wire";
export { simulatorEnv } from "./simulator-env.ts";
