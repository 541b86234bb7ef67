/** Whole turns, and interruptions of them. */

export { CANARY_EXITS, Canaries, type CanaryExit, canaryAgents, canarySteps } from "./canary-turns.ts";
export { holdCitationLaw } from "./citation-law.ts";
export { comparable } from "./comparable.ts";
export { type FuzzedDecision, fuzzedDecision, fuzzedReply, sendFuzzed } from "./fuzzed-decision.ts";
export { type FuzzedText, fuzzedText, sendText } from "./fuzzed-text.ts";
export { Life, stepsToKillAt } from "./life.ts";
export { type PlayedParty, playParty, playPartyInChildren } from "./played-party.ts";
export { callOf, playTurn } from "./played-turn.ts";
export {
  type LifeOptions,
  ReplayedTrace,
  type ScriptedReply,
  TRACE_STARTED_AT,
} from "./replayed-trace.ts";
export { simulatedModel } from "./simulated-model.ts";
export { toldRequests } from "./told-requests.ts";
export { type Trace, type TraceContent, type TraceRound, type TraceTurn, tokensOf } from "./trace.ts";
export { type BenchOptions, type OpenBench, TurnBench } from "./turn-bench.ts";
export { FOLLOW_UP, FOLLOW_UP_ANSWER, HOOKED, LAST_WORDS, OPENING, RISKY, ROUNDS, STEERING } from "./twelve-rounds.ts";
