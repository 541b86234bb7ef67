/** Whether a provider can make an answer match a schema. */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import { mapSchema } from "../schema/schema-patterns.ts";
import type { OutputRule } from "./providers/provider.ts";

/** Providers resolve references differently, so a schema with references is given to the output tool instead. */
const REFERENCES = ["$ref", "$dynamicRef"];

export function takesOutput(schema: JsonObject, rule: OutputRule): boolean {
  let fits = true;
  mapSchema(schema, (node) => {
    fits &&= fitsRule(node, rule);
    return node;
  });
  return fits;
}

function fitsRule(node: JsonObject, { keywords, closed, allRequired }: OutputRule): boolean {
  const used = Object.keys(node);
  if (used.some((keyword) => REFERENCES.includes(keyword) || !(keywords?.has(keyword) ?? true))) return false;
  const types = Array.isArray(node.type) ? node.type : [node.type];
  if (!types.includes("object") && node.properties === undefined) return true;
  if (closed && node.additionalProperties !== false) return false;
  if (!allRequired) return true;
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  return Object.keys(isJsonObject(node.properties) ? node.properties : {}).every((name) => required.has(name));
}
