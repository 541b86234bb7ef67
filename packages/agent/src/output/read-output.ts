/** Reads structured output from the JSON that a model wrote, and says what is wrong with it. */
import type { Json } from "@cairn/timeline";
import { nestingOf } from "../protocol/nesting.ts";
import type { OutputSchema } from "./output-schema.ts";

const MAX_DEPTH = 100;
const MAX_ISSUES = 10;
const MAX_ISSUE_LENGTH = 300;
/** A model may put its JSON into a code fence, although it was not asked to. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/;

export type ReadOutput = { readonly value: Json } | { readonly problem: string };

export function readOutput(text: string, { check }: OutputSchema): ReadOutput {
  const written = text.trim();
  const json = FENCED.exec(written)?.[1] ?? written;
  if (nestingOf(json) > MAX_DEPTH) return { problem: `It is nested more than ${MAX_DEPTH} levels deep.` };
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    return { problem: "It is not JSON." };
  }
  const issues = check(value);
  if (issues === null) return { problem: "It is nested too deeply to be checked." };
  if (issues.length === 0) return { value };
  const lines = issues.slice(0, MAX_ISSUES).map(({ path, message }) => `- ${placeOf(path)}: ${clip(message)}`);
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more`);
  return { problem: lines.join("\n") };
}

/** All strings of a value, in which citations are looked for. Names of fields are left out. */
export function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function placeOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return "(the whole value)";
  return clip(path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${key}`)).join(""));
}

function clip(text: string): string {
  return text.length > MAX_ISSUE_LENGTH ? `${text.slice(0, MAX_ISSUE_LENGTH).toWellFormed()}…` : text;
}
