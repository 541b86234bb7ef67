/** The system services that a turn needs: a clock, randomness, timers and a name for its lease. */
import { randomBytes, randomInt } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { RunTurnOptions } from "./run-turn.ts";

const BASE36_LENGTH = 6;
/** Distinguishes this process from an earlier one with the same process id. */
const LIFE = randomBytes(8).toString("hex");

/** The clock, timer and random ids of this machine. Ids are `turn_<epoch_ms>_<6 base36>` and `tc_<12 hex>`. */
export function thisMachine(): Pick<RunTurnOptions, "ids" | "now" | "sleep" | "random" | "holder" | "life"> {
  const now = () => Date.now();
  return {
    ids: {
      turn: () =>
        `turn_${now()}_${randomInt(36 ** BASE36_LENGTH)
          .toString(36)
          .padStart(BASE36_LENGTH, "0")}`,
      call: () => `tc_${randomBytes(6).toString("hex")}`,
    },
    now,
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
    random: () => Math.random(),
    holder: `${hostname()}:${process.pid}`,
    life: LIFE,
  };
}
