/** The fields of a question's form, as an app or a terminal shows them, and the answer from what a person typed. */
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { Question } from "./event.ts";

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "choices";
  /** Of a choice. */
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

/** Empty fields are left out. Numbers that are none stay text, so that the check of the form rejects them. */
export function formAnswer(fields: readonly FormField[], typed: Readonly<Record<string, string>>): JsonObject {
  const values = fields.flatMap((field) => {
    const text = (typed[field.name] ?? "").trim();
    return text === "" ? [] : [[field.name, typedValue(field, text)] as const];
  });
  return Object.fromEntries(values);
}

function typedValue({ kind, options }: FormField, text: string): Json {
  const choose = (said: string) => options.find(({ value, title }) => said === value || said === title)?.value ?? said;
  switch (kind) {
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return /^(true|yes|y)$/i.test(text) ? true : /^(false|no|n)$/i.test(text) ? false : text;
    case "choices":
      return text.split(",").map((each) => choose(each.trim()));
    default:
      return choose(text);
  }
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
