/**
 * For tests: the operations of an OpenAPI document, and input made from their schemas alone, both valid and invalid, so
 * that new endpoints are tested like the others.
 */
import { z } from "zod";

/** Any JSON schema of the document. */
export type Schema = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly schema: Schema;
  readonly required?: boolean;
}

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of a JSON body; null without such a body. */
  readonly body: Schema | null;
  /** The media types of other bodies. */
  readonly otherBodies: readonly string[];
  /** The schemas of responses by status; null for a response that is not JSON. */
  readonly answers: ReadonlyMap<number, z.ZodType | null>;
}

export class DescribedApi {
  readonly operations: readonly Operation[];
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(document: Schema) {
    this.#schemas = document.components?.schemas ?? {};
    this.operations = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Schema>(methods).map(([method, operation]) => this.#read(method, path, operation)),
    );
  }

  /** A value that matches a schema. */
  sample(given: Schema): unknown {
    const schema = this.#resolve(given);
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.const !== undefined) return schema.const;
    const [option] = schema.anyOf ?? schema.oneOf ?? [];
    if (option !== undefined) return this.sample(option);
    switch (schema.type) {
      case "string":
        return isBase64(schema) ? "aGk=" : "text";
      case "integer":
      case "number":
        return schema.minimum ?? 1;
      case "boolean":
        return true;
      case "array":
        return (schema.minItems ?? 0) === 0 ? [] : [this.sample(schema.items)];
      default: {
        const needed = Object.entries<Schema>(schema.properties ?? {}).filter(([name]) => isNeeded(schema, name));
        return Object.fromEntries(needed.map(([name, each]) => [name, this.sample(each)]));
      }
    }
  }

  /** Values that do not match the schema. Each has one mistake, at any depth. */
  spoilt(given: Schema): readonly unknown[] {
    const schema = this.#resolve(given);
    if (schema.enum !== undefined || schema.const !== undefined) return ["none of these", 7];
    if ((schema.anyOf ?? schema.oneOf) !== undefined) return [{ "none of these": true }];
    switch (schema.type) {
      case "string":
        return [7, null, ...spoiltTexts(schema)];
      case "integer":
      case "number":
        return ["x", null, ...spoiltNumbers(schema)];
      case "boolean":
        return ["yes", null];
      case "array":
        return [{}, null, ...this.#spoiltLists(schema)];
      case "object":
        return [[], "x", null, ...this.#spoiltObjects(schema)];
      default:
        return [];
    }
  }

  /** Like `spoilt`, for parameters, whose values are all strings. */
  spoiltText(given: Schema): readonly string[] {
    const schema = this.#resolve(given);
    if (schema.enum !== undefined) return ["none of these"];
    if (schema.type === "string") return spoiltTexts(schema);
    return ["x", "1.5", ...spoiltNumbers(schema).map(String)];
  }

  #read(method: string, path: string, operation: Schema): Operation {
    const content: Readonly<Record<string, Schema>> = operation.requestBody?.content ?? {};
    const { "application/json": json, ...others } = content;
    const answers = Object.entries<Schema>(operation.responses).map(([status, answer]): [number, z.ZodType | null] => {
      const schema = answer.content?.["application/json"]?.schema;
      return [Number(status), schema === undefined ? null : this.#checker(schema)];
    });
    return {
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: json?.schema ?? null,
      otherBodies: Object.keys(others),
      answers: new Map(answers),
    };
  }

  #checker(schema: Schema): z.ZodType {
    const local = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"));
    return z.fromJSONSchema({ ...local(schema), $defs: local(this.#schemas) });
  }

  #resolve(schema: Schema): Schema {
    const { $ref: ref } = schema;
    return typeof ref === "string" ? (this.#schemas[ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  }

  #spoiltLists(schema: Schema): readonly unknown[] {
    const { items = {}, maxItems, minItems = 0 } = schema;
    return [
      ...this.spoilt(items).map((item) => [item]),
      ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => this.sample(items))]),
      ...(minItems === 0 ? [] : [[]]),
    ];
  }

  #spoiltObjects(schema: Schema): readonly unknown[] {
    const fits = this.sample(schema) as Readonly<Record<string, unknown>>;
    const fields = Object.entries<Schema>(schema.properties ?? {});
    const without = fields.filter(([name]) => isNeeded(schema, name)).map(([name]) => ({ ...fits, [name]: undefined }));
    const wrong = fields.flatMap(([name, each]) => this.spoilt(each).map((value) => ({ ...fits, [name]: value })));
    return [...without, ...wrong];
  }
}

function isNeeded({ required = [] }: Schema, name: string): boolean {
  return required.includes(name);
}

function isBase64({ format, contentEncoding }: Schema): boolean {
  return format === "base64" || contentEncoding === "base64";
}

function spoiltTexts(schema: Schema): readonly string[] {
  const { minLength = 0, maxLength } = schema;
  return [
    ...(minLength > 0 ? [""] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(isBase64(schema) ? ["%%%"] : []),
  ];
}

function spoiltNumbers({ type, minimum, maximum }: Schema): readonly number[] {
  return [
    ...(type === "integer" ? [1.5] : []),
    ...(typeof minimum === "number" ? [minimum - 1] : []),
    ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? [maximum + 1] : []),
  ];
}
