/**
 * Estimates the cost of checking a value against an untrusted JSON Schema. With references, a small schema can cause
 * exponentially many checks: `a0` refers twice to `a1`, `a1` twice to `a2`, and so on. A schema that refers to itself
 * at the same place of the value causes an endless check.
 */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";

/** Maximum size of a schema, more than any tool needs. The library takes seconds for tens of thousands of nodes. */
const MAX_SCHEMAS = 2_000;
const MAX_DEPTH = 100;
const MAX_WAYS = 1_000_000;
/** Maximum number of problems that a check may list: enough for ten thousand objects with ten nullable fields. */
const MAX_PROBLEMS = 250_000;
/** Maximum number of comparisons with the values of an `enum`. A comparison is quick and keeps nothing in memory. */
const MAX_COMPARISONS = 5_000_000;
/** Keywords whose schemas are tried at the same place of the value. */
const IN_PLACE: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]);

/** Maximum number of times that the schema checks one place of a value; `Infinity` for a schema that is too large. */
export function waysOf(schema: JsonObject): number {
  const found: JsonObject[] = [];
  if (!collect(schema, found, 0)) return Number.POSITIVE_INFINITY;
  const known = new Map<JsonObject, number>();
  return found.reduce((most, each) => Math.max(most, waysAt(schema, each, known)), 1);
}

/** The largest numbers in any part of the schema, which decide how long a check with the schema can take. */
interface Widths {
  /** Properties that one schema names. A check looks for each of them in every object. */
  readonly names: number;
  /** Values of one `enum`, unless all are strings. A check compares each of them with every item. */
  readonly literals: number;
}

export function widthsOf(schema: JsonObject): Widths {
  const found: JsonObject[] = [];
  collect(schema, found, 0);
  let [names, literals] = [0, 0];
  for (const { properties, required, enum: values } of found) {
    names = Math.max(names, isJsonObject(properties) ? Object.keys(properties).length : 0, lengthOf(required));
    const areStrings = Array.isArray(values) && values.every((each) => typeof each === "string");
    literals = Math.max(literals, areStrings ? 0 : lengthOf(values));
  }
  return { names, literals };
}

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

/**
 * Whether a value has so many items that the check would take too long. Each item may have every possible problem, and
 * a list of all problems may not fit into memory.
 */
export function isTooWide(ways: number, { names, literals }: Widths, value: unknown): boolean {
  const left: unknown[] = [value];
  let [problems, comparisons] = [ways, 0];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== "object" || each === null) continue;
    const items = Object.values(each);
    // Each field of an object counts twice: its value may be wrong, or its name may be missing.
    problems += ways * (Array.isArray(each) ? items.length : Math.max(items.length, names));
    comparisons += ways * items.length * literals;
    if (problems > MAX_PROBLEMS || comparisons > MAX_COMPARISONS) return true;
    for (const item of items) left.push(item);
  }
  return false;
}

/** Whether this value can be checked quickly. Each level of nesting multiplies the number of checks. */
export function isCheap(ways: number, value: unknown): boolean {
  return ways ** depthOf(value, 0) <= MAX_WAYS;
}

/** Collects every object that may be a schema. Returns false when there are too many, or they are nested too deeply. */
function collect(value: Json | undefined, found: JsonObject[], depth: number): boolean {
  if (depth > MAX_DEPTH || found.length > MAX_SCHEMAS) return false;
  if (Array.isArray(value)) return value.every((each) => collect(each, found, depth + 1));
  if (!isJsonObject(value)) return true;
  found.push(value);
  return Object.values(value).every((each) => collect(each, found, depth + 1));
}

function waysAt(root: JsonObject, schema: Json | undefined, known: Map<JsonObject, number>): number {
  if (!isJsonObject(schema)) return 1;
  const before = known.get(schema);
  if (before !== undefined) return before;
  // The schema is reached again before its check has ended, so its references form a circle.
  known.set(schema, Number.POSITIVE_INFINITY);
  let ways = 0;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "$ref") ways += waysAt(root, targetOf(root, value), known);
    else if (IN_PLACE.has(keyword))
      for (const each of Array.isArray(value) ? value : [value]) ways += waysAt(root, each, known);
  }
  known.set(schema, Math.max(1, ways));
  return Math.max(1, ways);
}

function targetOf(root: JsonObject, ref: Json | undefined): Json | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  let place: Json | undefined = root;
  for (const part of ref.slice(1).split("/").filter(Boolean)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    place = isJsonObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
  }
  return place;
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return depth;
  return Object.values(value).reduce((most: number, each) => Math.max(most, depthOf(each, depth + 1)), depth + 1);
}
