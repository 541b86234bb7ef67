/** Helpers for tests of an application's agents, without a network and without a key. */
export { type MatcherResult, type Prefixed, type PrefixOptions, toExtendPrefix } from "./testing/extend-prefix.ts";
export {
  type ScriptedCall,
  type ScriptedDecision,
  type ScriptedModel,
  type ScriptedStep,
  scriptedModel,
} from "./testing/scripted-model.ts";
