/**
 * One row of the table of what real APIs refuse. The simulators enforce the table, and nothing else decides what they
 * refuse beyond the published shape of a body. Every rule names where it was seen and when, because APIs change.
 */
import type { JsonObject } from "@cairn/timeline";

export interface Rule<Body> {
  /** What the API asks of a request, as a sentence. */
  readonly rule: string;
  readonly about: "roles" | "pairs" | "names" | "schemas" | "sizes" | "counts" | "text" | "cache" | "settings";
  /** Address of a public page that states the rule or shows the refusal. */
  readonly source: string;
  /** When the page was written, or read where it has no date. */
  readonly date: string;
  /** Status of the refusal; 400 unless given. */
  readonly status?: number;
  /** The API's error, or null for a body that keeps the rule. */
  readonly refuses: (body: Body) => Fault | string | null;
  /** A body that breaks this rule and none before it. */
  readonly example: JsonObject;
}

export interface Fault {
  readonly message: string;
  readonly code?: string | null;
  readonly param?: string | null;
}

/** How many bytes a body may have. */
export interface SizeRule {
  readonly maxBytes: number;
  readonly source: string;
  readonly date: string;
}

/** Throws what `toRefusal` makes of the first rule that `body` breaks. */
export function enforce<Body>(
  rules: readonly Rule<Body>[],
  body: Body,
  toRefusal: (fault: Fault, status: number) => Error,
): void {
  for (const { refuses, status = 400 } of rules) {
    const fault = refuses(body);
    if (fault !== null) throw toRefusal(typeof fault === "string" ? { message: fault } : fault, status);
  }
}

/** The first value of a list that is not null. */
export function firstOf<T, R>(list: Iterable<T>, look: (value: T) => R | null): R | null {
  for (const value of list) {
    const found = look(value);
    if (found !== null) return found;
  }
  return null;
}
