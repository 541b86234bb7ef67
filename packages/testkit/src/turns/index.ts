/** Whole turns, and what interrupts them. */
export { comparable } from "./comparable.ts";
export { Life } from "./life.ts";
export { type BenchOptions, TurnBench } from "./turn-bench.ts";
export {
  FOLLOW_UP,
  LAST_WORDS,
  OPENING,
  partyScript,
  partyTools,
  RISKY,
  ROUNDS,
  STEERING,
  type World,
} from "./twelve-rounds.ts";
