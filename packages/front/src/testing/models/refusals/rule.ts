/**
 * One row of the table of refusals of real APIs. The simulators reject only bodies that break a rule of the table or do
 * not have the published form. Every rule names its source and date, because APIs change.
 */
import type { JsonObject } from "@cairn/timeline";

export interface Rule<Body> {
  /** The requirement, as a sentence. */
  readonly rule: string;
  readonly about: "roles" | "pairs" | "names" | "schemas" | "sizes" | "counts" | "text" | "cache" | "settings";
  /** Address of a public page that states the rule or shows the refusal. */
  readonly source: string;
  /** When the page was written or, if it has no date, when it was read. */
  readonly date: string;
  /** Status of the refusal; 400 unless given. */
  readonly status?: number;
  /** The API's error, or null for a body that follows the rule. */
  readonly refuses: (body: Body) => Fault | string | null;
  /** A body that breaks this rule and no earlier rule of the table. */
  readonly example: JsonObject;
}

export interface Fault {
  readonly message: string;
  readonly code?: string | null;
  readonly param?: string | null;
}

/** Maximum number of bytes of a body. */
export interface SizeRule {
  readonly maxBytes: number;
  readonly source: string;
  readonly date: string;
}

/** Throws `toRefusal` of the first rule that `body` breaks. */
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
