/**
 * One call of the text protocol while it is written: a JSON object, then parameters as plain text. Both become one JSON
 * object, the form in which every call arrives.
 */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import type { ModelPart, ToolSpec } from "../model/model.ts";
import { escapeText, LenientJson } from "./lenient-json.ts";

/** Names of fields for a tool and its parameters, for models that put both into one JSON object. */
const NAME_FIELDS = ["name", "tool", "tool_name", "function"];
const PARAMS_FIELDS = ["arguments", "parameters", "params", "input", "args"];

export class TextCall {
  readonly #index: number;
  readonly #specs: readonly ToolSpec[];
  readonly #name: string;
  readonly #json = new LenientJson();
  /** The JSON so far if the tool's name is in it, so that it must be complete first; null if the tag has the name. */
  #wrapped: string | null;
  #isBegun = false;
  #hasParams = false;
  /** The open text parameter. */
  #param: { readonly name: string; readonly isText: boolean; readonly isLines: boolean } | null = null;
  #collected = "";
  /** Text of the parameter that is not passed on yet: its first and its last line break may belong to the tags. */
  #held: string | null = null;

  /** `name`: the tool's name as the model wrote it. If it is empty, the JSON contains the name. */
  constructor(index: number, name: string, specs: readonly ToolSpec[]) {
    this.#index = index;
    this.#specs = specs;
    this.#name = name === "" ? "" : toolNamed(name, specs);
    this.#wrapped = name === "" ? "" : null;
  }

  /** Whether the JSON object of the call is complete. */
  get isOver(): boolean {
    return this.#json.isOver;
  }

  *begin(): Generator<ModelPart> {
    if (this.#wrapped === null) yield { type: "call", index: this.#index, name: this.#name };
  }

  /** Takes text of the JSON object; returns the number of characters that belong to it. */
  *push(text: string): Generator<ModelPart, number> {
    const { json, used } = this.#json.push(text);
    yield* this.#write(json);
    return used;
  }

  *beginParam(name: string): Generator<ModelPart> {
    yield* this.endParam();
    yield* this.#write(this.#json.end());
    const isText = takesText(this.#specs.find((spec) => spec.name === this.#name)?.schema, name);
    this.#param = { name, isText, isLines: false };
    this.#held = "";
    this.#collected = "";
    const comma = this.#hasParams || this.#json.hasEntries ? "," : "";
    this.#hasParams = true;
    const brace = this.#isBegun ? "" : "{";
    yield* this.#write(`${brace}${comma}${JSON.stringify(name.toWellFormed())}:${isText ? '"' : ""}`);
  }

  *pushParam(text: string): Generator<ModelPart> {
    if (this.#param === null) return;
    let all = (this.#held ?? "") + text;
    if (!this.#param.isLines && this.#held !== null && this.#collected === "") {
      if (all === "" || all === "\r") {
        this.#held = all;
        return;
      }
      const lineBreak = /^\r?\n/.exec(all)?.[0] ?? "";
      this.#param = { ...this.#param, isLines: lineBreak !== "" };
      all = all.slice(lineBreak.length);
    }
    this.#held = /\r?\n?$/.exec(all)?.[0] ?? "";
    yield* this.#writeParam(all.slice(0, all.length - this.#held.length));
  }

  *endParam(): Generator<ModelPart> {
    if (this.#param === null) return;
    const { isText, isLines } = this.#param;
    yield* this.#writeParam(isLines ? (this.#held ?? "").replace(/\r?\n$/, "") : (this.#held ?? ""));
    const collected = this.#collected;
    this.#param = null;
    this.#held = null;
    yield* this.#write(isText ? '"' : JSON.stringify(valueIn(collected)));
  }

  /** `isCut`: the answer reached its length limit, so an unfinished call stays unfinished. */
  *end(isCut: boolean): Generator<ModelPart> {
    if (isCut && (this.#param !== null || !this.#json.isOver)) {
      yield* this.#writeParam(this.#param === null ? "" : (this.#held ?? ""));
      if (this.#wrapped !== null) yield { type: "call", index: this.#index, name: "" };
      return;
    }
    yield* this.endParam();
    yield* this.#write(this.#json.end());
    if (this.#isBegun) yield* this.#write("}");
    // Text instead of an object is passed on; the code that reads the decision reports the error to the model.
    else if (this.#json.instead.replace(/^`*\w*\s*|`*$/g, "") !== "") yield* this.#write(this.#json.instead);
    if (this.#wrapped !== null) yield* this.#unwrap(this.#wrapped);
  }

  *#writeParam(text: string): Generator<ModelPart> {
    if (this.#param === null || text === "") return;
    this.#collected = this.#param.isText ? "begun" : this.#collected + text;
    if (this.#param.isText) yield* this.#write(escapeText(text));
  }

  *#write(json: string): Generator<ModelPart> {
    if (json === "") return;
    this.#isBegun = true;
    if (this.#wrapped !== null) this.#wrapped += json;
    else yield { type: "params", index: this.#index, text: json };
  }

  /** Reads a call from JSON that contains the tool's name, a form that some models were trained on. */
  *#unwrap(json: string): Generator<ModelPart> {
    const given = parsed(json);
    const fields: JsonObject = isJsonObject(given) ? given : {};
    const name = NAME_FIELDS.map((field) => fields[field]).find((value) => typeof value === "string") ?? "";
    const params = PARAMS_FIELDS.map((field) => fields[field]).find((value) => value !== undefined) ?? {};
    yield { type: "call", index: this.#index, name: toolNamed(String(name), this.#specs) };
    const text = typeof params === "string" ? params : JSON.stringify(params);
    yield { type: "params", index: this.#index, text };
  }
}

/** The tool that a model means, although it wrote `react_read` or `React.Read`. */
function toolNamed(name: string, specs: readonly ToolSpec[]): string {
  if (specs.some((spec) => spec.name === name)) return name;
  const like = specs.filter((spec) => squash(spec.name) === squash(name));
  return like.length === 1 ? (like[0]?.name ?? name) : name;
}

function squash(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Whether a parameter is text, as far as its schema tells. */
function takesText(schema: JsonObject | undefined, name: string): boolean {
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const type = isJsonObject(property) ? property.type : undefined;
  return type === undefined || type === "string" || (Array.isArray(type) && type.includes("string"));
}

/** The value of a parameter that is not text. */
function valueIn(text: string): Json {
  const json = new LenientJson();
  const written = json.push(`{"value":${text}`).json + json.end();
  const given = parsed(`${written}}`);
  return isJsonObject(given) ? (given.value ?? null) : text;
}

function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined; // Returns undefined for invalid JSON, so that the caller can choose a value.
  }
}
