/**
 * The envelope `{ok, error, ret}` that every tool returns, unwrapped: the tool's output and its error.
 *
 * `ok` decides: false is an error even when `ret` is there, true is a success even when an `error` field is present. A
 * built-in's output is `ret`, or null. An external tool's output is `ret` if it has one (null included), else the
 * envelope without `ok` and `error`. A value that is not an envelope gives a null output and `malformed_envelope`.
 * `managed` is internal to the tool and never shown; every other field of an error is kept.
 */
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";

export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly [field: string]: Json | undefined;
}

export interface ToolOutcome {
  readonly output: Json;
  readonly error: ToolError | null;
}

export function unwrapEnvelope(value: unknown, builtin: boolean): ToolOutcome {
  if (!isJsonObject(value)) return malformed(`it returned ${describe(value)}`);
  if (typeof value.ok !== "boolean") return malformed(`its \`ok\` is ${describe(value.ok)}`);
  return { output: outputOf(value, builtin), error: value.ok ? null : errorOf(value.error) };
}

function outputOf(envelope: JsonObject, builtin: boolean): Json {
  const ret = Object.hasOwn(envelope, "ret") ? envelope.ret : undefined;
  if (ret !== undefined || builtin) return ret ?? null;
  return without(envelope, ["ok", "error", "ret", "managed"]);
}

function errorOf(error: unknown): ToolError {
  const unexplained = "The tool reported a failure without saying why.";
  if (typeof error === "string") return { code: "tool_error", message: error.trim() === "" ? unexplained : error };
  if (!isJsonObject(error)) return { code: "tool_error", message: unexplained };
  return {
    ...without(error, ["managed"]),
    code: textOf(error.code) ?? "tool_error",
    message: textOf(error.message) ?? unexplained,
  };
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function malformed(problem: string): ToolOutcome {
  const message = `The tool did not return an envelope {ok, error, ret}: ${problem}.`;
  return { output: null, error: { code: "malformed_envelope", message } };
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}
