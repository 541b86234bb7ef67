/** Structured output: the schema of an application, as the model gets it, and the value as the application gets it. */
import { CairnError, type Json } from "@cairn/timeline";
import { z } from "zod";

/** Throws `bad_output_schema` for a schema that cannot be expressed as JSON Schema. */
export function outputSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  if (!("_zod" in schema)) throw new CairnError("bad_output_schema", "`output` must be a schema of zod 4.");
  try {
    return z.toJSONSchema(schema, { io: "input" });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_output_schema", `The schema of \`output\` cannot be converted to a JSON Schema: ${why}`);
  }
}

/** The value with the defaults and conversions of the schema. Throws `no_output`. */
export function outputOf<O>(schema: z.ZodType<O>, value: Json | undefined, exit: string): O {
  if (value === undefined)
    throw new CairnError("no_output", `There is no output: the turn ended with \`${exit}\`.`, { exit });
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  // Refinements of a zod schema are code, which cannot be described to the model.
  const [issue] = checked.error.issues;
  const field = ["output", ...(issue?.path ?? [])].map(String).join(".");
  throw new CairnError("no_output", `\`${field}\` does not pass the schema: ${issue?.message ?? ""}`, { field });
}
