/** The fields of a question's form, as an app or a terminal shows them, and the answer from what a person typed. */
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { Question } from "./event.ts";

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "choices";
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly required: boolean;
  /** The default as a person would type it; several choices are separated by commas. */
  readonly initial: string;
}

export function formFields({ form = {} }: Question): readonly FormField[] {
  const required = new Set(Array.isArray(form.required) ? form.required : []);
  const properties = isJsonObject(form.properties) ? Object.entries(form.properties) : [];
  return properties.flatMap(([name, field]) =>
    isJsonObject(field)
      ? [{ ...fieldOf(field), name, title: textOf(field.title, name), required: required.has(name) }]
      : [],
  );
}

/** Empty fields are left out. In a number field, text that is no number stays text, so the form's check rejects it. */
export function formAnswer(fields: readonly FormField[], typed: Readonly<Record<string, string>>): JsonObject {
  const values = fields.flatMap((field) => {
    const text = (typed[field.name] ?? "").trim();
    return text === "" ? [] : [[field.name, typedValue(field, text)] as const];
  });
  return Object.fromEntries(values);
}

function typedValue({ kind, options }: FormField, text: string): Json {
  const find = (said: string) => options.find(({ value, title }) => said === value || said === title)?.value;
  switch (kind) {
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return /^(true|yes|y)$/i.test(text) ? true : /^(false|no|n)$/i.test(text) ? false : text;
    case "choices":
      return chosenOf(text, find);
    default:
      return find(text) ?? text;
  }
}

/** A choice may contain commas itself, so the longest text that is a choice counts. */
function chosenOf(text: string, find: (said: string) => string | undefined): string[] {
  const parts = text.split(",");
  const chosen: string[] = [];
  for (let from = 0, end = 0; from < parts.length; from = end) {
    const said = (to: number) => parts.slice(from, to).join(",").trim();
    end = parts.length;
    while (end > from + 1 && find(said(end)) === undefined) end--;
    chosen.push(find(said(end)) ?? said(end));
  }
  return chosen;
}

function fieldOf(field: JsonObject): Omit<FormField, "name" | "title" | "required"> {
  const { type, default: initial = "", items } = field;
  const options = optionsOf(type === "array" && isJsonObject(items) ? items : field);
  const kind =
    type === "array"
      ? "choices"
      : options.length > 0
        ? "choice"
        : type === "boolean"
          ? "boolean"
          : type === "number" || type === "integer"
            ? "number"
            : "text";
  return { kind, options, description: textOf(field.description, ""), initial: String(initial) };
}

function optionsOf({ enum: values, enumNames, oneOf, anyOf }: JsonObject): FormField["options"] {
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  if (!Array.isArray(values))
    return titled.flatMap((each) =>
      isJsonObject(each) && typeof each.const === "string"
        ? [{ value: each.const, title: textOf(each.title, each.const) }]
        : [],
    );
  const names = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value, index) => ({ value: String(value), title: textOf(names[index], String(value)) }));
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === "string" && value.trim() !== "" ? value : fallback;
}
