/**
 * For tests: compares what the server sends with the contract (`@cairn/api`). Unlike a client, it also reports fields
 * that the contract does not know, so that a response cannot grow without its schema.
 */
import * as api from "@cairn/api";
import { z } from "zod";

export const endpoints: readonly api.Endpoint[] = Object.values<unknown>({ ...api }).filter(isEndpoint);

export interface SeenResponse {
  readonly method: string;
  /** Path of the request, without the query. */
  readonly path: string;
  readonly status: number;
  readonly json: unknown;
}

/** Throws an error that names the first difference. */
export function checkResponse({ method, path, status, json }: SeenResponse): void {
  const endpoint = endpoints.find((each) => each.method === method.toLowerCase() && patternOf(each).test(path));
  const answer = endpoint?.answers[status];
  const schema = status >= 400 ? api.problemSchema : answer?.schema;
  // A file may contain JSON, and other addresses are not part of the contract.
  if (schema === undefined && (endpoint === undefined || answer !== undefined)) return;
  report(`${method} ${path} ${status}`, schema, json);
}

export function checkEvent(name: string, data: unknown): void {
  const schemas: Readonly<Record<string, z.ZodType>> = api.liveEvents;
  report(`The event ${name}`, schemas[name] ?? api.journalEventSchema, data);
}

function report(what: string, schema: z.ZodType | undefined, json: unknown): void {
  if (schema === undefined) throw new Error(`${what} is not in the contract.`);
  const [issue] = strictOf(schema).safeParse(json).error?.issues ?? [];
  if (issue !== undefined)
    throw new Error(`${what} is not what the contract says at "${issue.path.join(".")}": ${issue.message}`);
}

function isEndpoint(value: unknown): value is api.Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "answers" in value;
}

function patternOf({ path }: api.Endpoint): RegExp {
  return new RegExp(`^${path.replace(/\{path\}$/, ".+").replace(/\{\w+\}/g, "[^/]+")}$`);
}

const known = new WeakMap<z.ZodType, z.ZodType>();

function strictOf(schema: z.ZodType): z.ZodType {
  const made = known.get(schema) ?? makeStrict(schema);
  known.set(schema, made);
  return made;
}

/** The schema, with unknown fields as errors. Objects that may have any field are excepted. */
function makeStrict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return z.array(strictOf(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable) return strictOf(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return strictOf(schema.unwrap() as z.ZodType).optional();
  const shape = schema instanceof z.ZodIntersection || schema instanceof z.ZodObject ? shapeOf(schema) : null;
  if (shape === null) return schema;
  return z.strictObject(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strictOf(field)])));
}

function shapeOf(schema: unknown): Readonly<Record<string, z.ZodType>> | null {
  if (schema instanceof z.ZodObject) return schema.def.catchall === undefined ? schema.shape : null;
  if (schema instanceof z.ZodIntersection) return { ...shapeOf(schema.def.left), ...shapeOf(schema.def.right) };
  return null;
}
