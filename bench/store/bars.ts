/** The performance limits of the store, compared with the measurements. */
import type { Bar } from "../bars.ts";
import { findResult, type StoreResult } from "./store-result.ts";

/** `sizes` are the lengths that were measured, ascending; with all four, the limits are those of 100, 1,000 and 10,000. */
export function checkStoreBars(results: readonly StoreResult[], sizes: readonly number[]): Bar[] {
  const longest = sizes.at(-1) ?? 0;
  const middle = sizes.at(-2) ?? longest;
  const base = sizes[1] ?? longest;
  const find = (subject: string, name: string, rounds: number) => findResult(results, subject, name, rounds);
  const overBare = sizes.map((rounds) => find("store", "append", rounds) / find("bare INSERT", "append", rounds));
  const growth = (name: string) => find("store", name, longest) / find("store", name, base);
  const isCompared = results.some(({ subject }) => subject === "checkpointer exit");
  const against = (name: string) => find("checkpointer exit", name, middle) / find("store", name, middle);
  return [
    atMost("append / bare INSERT, at the worst length", Math.max(...overBare), 2),
    atMost(`time per turn at ${longest} rounds / at ${base}`, growth("turn"), 1.3),
    atMost(`bytes per turn at ${longest} rounds / at ${base}`, growth("bytes per turn"), 1.3),
    atMost(
      `load at ${longest} rounds / at ${middle}`,
      find("store", "load", longest) / find("store", "load", middle),
      1.5,
    ),
    ...(isCompared
      ? [
          atLeast(
            `bytes per turn, checkpointer / store, at ${middle} rounds (at least)`,
            against("bytes per turn"),
            10,
          ),
          atLeast(`time per turn, checkpointer / store, at ${middle} rounds (at least)`, against("turn"), 1),
        ]
      : []),
  ];
}

function atMost(name: string, value: number, limit: number): Bar {
  return { name, value, limit, ok: value <= limit };
}

function atLeast(name: string, value: number, limit: number): Bar {
  return { name, value, limit, ok: value >= limit };
}
