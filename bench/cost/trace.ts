/**
 * A conversation to replay: sizes and times only. `bench/traces` contains three; any file of the same form can be used.
 */
import { readFileSync } from "node:fs";
import type { Trace } from "@cairn/testkit/turns";

export type { Trace } from "@cairn/testkit/turns";

export function readTrace(file: string): Trace {
  const trace = JSON.parse(readFileSync(file, "utf8")) as Partial<Trace>;
  if (!Array.isArray(trace.turns)) throw new Error(`${file} is not a trace: it has no list of turns.`);
  return trace as Trace;
}
