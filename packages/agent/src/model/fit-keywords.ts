/**
 * Moves keywords of a tool's schema that a provider does not accept into descriptions.
 *
 * Keywords with an equivalent are converted: `const` becomes an `enum` with one value, a reference is replaced by its
 * target, and a list of types becomes `anyOf`. Any other keyword is written into the `description` beside it, where a
 * model reads it. The parameters of a call are still checked against the tool's original schema.
 */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import type { SchemaRule } from "./providers/provider.ts";

type Fields = Record<string, Json | undefined>;

/** Maximum nodes of a converted schema; the rest is described in words. Each reference repeats its target. */
const MAX_NODES = 2_000;

/** Keywords that do not restrict values. */
const ANNOTATIONS: ReadonlySet<string> = new Set(["$schema", "$id", "$anchor", "$comment", "$defs", "definitions"]);
const BY_NAME: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);
const LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SINGLE: ReadonlySet<string> = new Set(["items", "additionalProperties", "not"]);
/** Keywords whose lists some providers reject when they are empty. */
const EMPTY_REFUSED: ReadonlySet<string> = new Set(["enum", "anyOf", "oneOf", "allOf"]);
/** The keywords that apply to one type only, for splitting a schema with several types. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};

/** Removes keywords that the provider rejects. `moved` names the keywords that were moved into descriptions. */
export function fitKeywords(schema: JsonObject, rule: SchemaRule) {
  const fitter = new Fitter(schema, rule);
  return { schema: fitter.fit(schema, []), moved: fitter.moved };
}

class Fitter {
  readonly moved = new Set<string>();
  readonly #root: JsonObject;
  readonly #rule: SchemaRule;
  #nodes = 0;

  constructor(root: JsonObject, rule: SchemaRule) {
    this.#root = root;
    this.#rule = rule;
  }

  /** `within`: the references that were followed to reach this node. */
  fit(node: JsonObject, within: readonly string[]): JsonObject {
    this.#nodes++;
    const { fields, refs } = this.#spell(node, within);
    const kept: Fields = {};
    const over: Fields = {};
    for (const [keyword, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      if (this.#takes(keyword) && !isEmptyChoice(keyword, value)) kept[keyword] = this.#inside(keyword, value, refs);
      else if (!ANNOTATIONS.has(keyword) && typeof value !== "boolean") over[keyword] = value;
    }
    if (this.#rule.needsItems && lacksItems(kept)) kept.items = {};
    const keywords = Object.keys(over);
    if (keywords.length === 0) return kept;
    for (const keyword of keywords) this.moved.add(keyword);
    const before = typeof kept.description === "string" && kept.description !== "" ? `${kept.description} ` : "";
    return { ...kept, description: `${before}(JSON Schema: ${JSON.stringify(over)})` };
  }

  #takes(keyword: string): boolean {
    return this.#rule.keywords === undefined || this.#rule.keywords.has(keyword);
  }

  /** Converts keywords that have an equivalent to the form that the provider accepts. */
  #spell(node: JsonObject, within: readonly string[]): { readonly fields: Fields; readonly refs: readonly string[] } {
    const fields: Fields = { ...node };
    const refs = this.#resolve(fields, within);
    if (fields.const !== undefined && !this.#takes("const") && isPlain(fields.const)) {
      fields.enum = [fields.const];
      delete fields.const;
    }
    if (fields.oneOf !== undefined && fields.anyOf === undefined && !this.#takes("oneOf")) {
      fields.anyOf = fields.oneOf;
      delete fields.oneOf;
    }
    if (this.#rule.oneType && Array.isArray(fields.type)) this.#chooseType(fields, fields.type.map(String));
    return { fields, refs };
  }

  /** Replaces a reference with its target, unless the target contains the reference or is too large. */
  #resolve(fields: Fields, within: readonly string[]): readonly string[] {
    const { $ref: reference } = fields;
    if (typeof reference !== "string" || this.#takes("$ref")) return within;
    const isKnown = within.includes(reference) || this.#nodes > MAX_NODES;
    const target = isKnown ? undefined : at(this.#root, reference);
    if (!isJsonObject(target)) return within;
    delete fields.$ref;
    for (const [keyword, value] of Object.entries(target)) fields[keyword] ??= value;
    // The target may be a reference itself.
    return this.#resolve(fields, [...within, reference]);
  }

  #chooseType(fields: Fields, types: readonly string[]): void {
    const others = types.filter((type) => type !== "null");
    if (others.length < types.length && this.#takes("nullable")) fields.nullable = true;
    const [only] = others;
    if (only !== undefined && others.length === 1) fields.type = only;
    else if (fields.anyOf === undefined) {
      delete fields.type;
      fields.anyOf = others.map((type) => {
        const own = (OF_TYPE[type] ?? []).filter((keyword) => fields[keyword] !== undefined);
        return { type, ...Object.fromEntries(own.map((keyword) => [keyword, fields[keyword] ?? null])) };
      });
      for (const keyword of Object.values(OF_TYPE).flat()) delete fields[keyword];
    } else delete fields.type;
  }

  #inside(keyword: string, value: Json, within: readonly string[]): Json {
    const fit = (inner: Json): Json => (isJsonObject(inner) ? this.fit(inner, within) : inner);
    if (BY_NAME.has(keyword) && isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fit(inner ?? null)]));
    if (LISTS.has(keyword) && Array.isArray(value)) return value.map(fit);
    return SINGLE.has(keyword) ? fit(value) : value;
  }
}

function isPlain(value: Json | undefined): boolean {
  return typeof value === "string" || typeof value === "number";
}

/** Lists in the schemas of MCP servers may be empty, and every provider rejects empty ones. */
function isEmptyChoice(keyword: string, value: Json): boolean {
  return EMPTY_REFUSED.has(keyword) && Array.isArray(value) && value.length === 0;
}

function lacksItems({ type, items, prefixItems }: Fields): boolean {
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  return isList && items === undefined && prefixItems === undefined;
}

/** The schema at a local reference such as `#/$defs/place`. */
function at(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: Json | undefined = root;
  for (const key of reference.slice(1).split("/").slice(1)) {
    const name = decoded(key).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A schema may come from an MCP server, so an invalid percent encoding is taken literally. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
