/** The performance limits of the engine, compared with the measurements. */
import type { Measurement } from "./measurement.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly ok: boolean;
}

/** `base` and `longest` are the measured lengths that are compared. */
export function checkBars(results: readonly Measurement[], base: number, longest: number): Bar[] {
  const find = (name: string, turns: number) => {
    const found = results.find((each) => each.name === name && each.turns === turns);
    if (found === undefined) throw new Error(`No measurement of ${name} at ${turns} turns.`);
    return found;
  };
  const worst = (name: string, of: (each: Measurement) => number) =>
    Math.max(...results.filter((each) => each.name === name).map(of));
  const append = find("append + render", longest);
  const slowestStream = Math.min(
    ...results.filter((each) => each.name.startsWith("citation stream, no tokens")).map((each) => each.value),
  );
  return [
    atMost(`append + render at ${longest} turns / at ${base} turns`, append.value / find(append.name, base).value, 1.5),
    atMost(`append + render at ${longest} turns / JSON.stringify`, ofStringify(append), 0.01),
    atMost(`cold render at ${longest} turns / JSON.stringify`, ofStringify(find("cold render", longest)), 1.5),
    atMost(
      "resolve, slowest kind of path at the worst length, us",
      worst("resolve, slowest path", (each) => each.value),
      50,
    ),
    ...["TTL prune", "compaction cut"].flatMap((name) => growthBar(results, name, longest)),
    moreThan("citation stream without tokens, slowest pieces, MB/s (more than)", slowestStream, 50),
  ];
}

/** Work over the whole timeline may grow with it, a little more than five times for five times the turns. */
function growthBar(results: readonly Measurement[], name: string, longest: number): Bar[] {
  const at = (turns: number) => results.find((each) => each.name === name && each.turns === turns)?.value;
  const [long, short] = [at(longest), at(longest / 5)];
  if (long === undefined || short === undefined) return [];
  return [atMost(`${name} at ${longest} turns / at ${longest / 5} turns`, long / short, 6)];
}

export function ofStringify({ value, json_stringify }: Measurement): number {
  return value / (json_stringify ?? Number.NaN);
}

function atMost(name: string, value: number, limit: number): Bar {
  return { name, value, limit, ok: value <= limit };
}

function moreThan(name: string, value: number, limit: number): Bar {
  return { name, value, limit, ok: value > limit };
}
