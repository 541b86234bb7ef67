/** Whole turns, and what interrupts them. */
export { type PlayedParty, playParty, playPartyInChildren } from "./played-party.ts";
export { type PlayedTurn, playTurn } from "./played-turn.ts";
export { type BenchOptions, TurnBench } from "./turn-bench.ts";
export { FOLLOW_UP, LAST_WORDS, OPENING, RISKY, ROUNDS, STEERING } from "./twelve-rounds.ts";
