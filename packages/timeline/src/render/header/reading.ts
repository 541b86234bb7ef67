/**
 * How a reader perceives a character: as a blank, as an opening bracket, or as letters.
 *
 * The tables are part of the project and do not depend on the JavaScript engine's Unicode version, so that the same
 * content renders to the same bytes everywhere. The tables are unpacked when first needed: most text is ASCII.
 */
import { BLANKS, BRACKETS, LETTERS } from "./confusables.ts";

export const BLANK = " ";
export const BRACKET = "[";

/** How a model may read a code point: as a blank, a bracket, one of the letters it looks like, or nothing. */
export function readingOf(point: number): string {
  readings ??= unpackReadings();
  return readings.get(point) ?? (isBlank(point) ? BLANK : "");
}

let readings: Map<number, string> | null = null;
let blanks: Uint32Array | null = null;

function unpackReadings(): Map<number, string> {
  const unpacked = new Map<number, string>();
  for (const [letters, packed] of Object.entries({ ...LETTERS, [BRACKET]: BRACKETS }))
    for (const [start, end] of runsOf(packed))
      for (let point = start; point < end; point++) unpacked.set(point, letters);
  return unpacked;
}

function* runsOf(packed: string): Generator<readonly [start: number, end: number]> {
  let end = 0;
  for (const run of packed.trim().split(/\s+/)) {
    const [distance = "", more = "0"] = run.split("-");
    const start = end + Number.parseInt(distance, 36);
    end = start + Number.parseInt(more, 36) + 1;
    yield [start, end];
  }
}

/** `blanks` lists the starts and ends of runs of blanks, so an odd number of entries up to the point means "inside". */
function isBlank(point: number): boolean {
  blanks ??= Uint32Array.from([...runsOf(BLANKS)].flat());
  let [low, high] = [0, blanks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blanks[middle] ?? 0) <= point) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}
