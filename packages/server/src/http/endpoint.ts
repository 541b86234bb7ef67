/**
 * One endpoint: its input, output and handler in one place. The input is validated before the handler runs, and the
 * OpenAPI document is generated from the same schemas, so both always agree.
 */

import { CairnError } from "@cairn/timeline";
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { MAX_JSON_BYTES } from "./body-room.ts";
import type { ServerEnvironment } from "./environment.ts";
import { readJson } from "./read-body.ts";
import { problemSchema } from "./schemas.ts";

export type App = OpenAPIHono<ServerEnvironment>;

export function createApp(): App {
  return new OpenAPIHono<ServerEnvironment>({ strict: true });
}

interface Answer {
  readonly description: string;
  /** Schema of a JSON body. */
  readonly schema?: z.ZodType;
  /** Media type of any other body. */
  readonly mime?: string;
}

export interface EndpointSpec<P, Q, B> {
  readonly method: "get" | "post" | "patch" | "delete";
  /** In OpenAPI syntax: `/api/conversations/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Returns internal content: only callers that may inspect have access. */
  readonly needs?: "inspect";
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  /** Schema of a JSON body. */
  readonly body?: z.ZodType<B>;
  /** Other bodies that the handler reads itself, by media type. */
  readonly otherBodies?: Readonly<Record<string, z.ZodType>>;
  readonly headers?: z.ZodObject;
  readonly mostBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
}

const NEEDS_INSPECT: Answer = { description: "The token lacks the permission `inspect`.", schema: problemSchema };

export interface EndpointInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export type ServerContext = Context<ServerEnvironment>;

export function endpoint<P = undefined, Q = undefined, B = undefined>(
  app: App,
  spec: EndpointSpec<P, Q, B>,
  handle: (context: ServerContext, input: EndpointInput<P, Q, B>) => Promise<Response> | Response,
): void {
  app.openAPIRegistry.registerPath({
    method: spec.method,
    path: spec.path,
    tags: [spec.tag],
    summary: spec.summary,
    request: {
      ...(spec.params instanceof z.ZodObject ? { params: spec.params } : {}),
      ...(spec.query instanceof z.ZodObject ? { query: spec.query } : {}),
      ...(spec.headers === undefined ? {} : { headers: spec.headers }),
      ...bodyOf(spec),
    },
    responses: Object.fromEntries(
      Object.entries({ ...spec.answers, ...(spec.needs === undefined ? {} : { 403: NEEDS_INSPECT }) }).map(
        ([status, answer]) => [status, describe(answer)],
      ),
    ),
  });
  app.on([spec.method.toUpperCase()], [routeOf(spec.path)], async (context) => {
    context.set("route", spec.path);
    const id = context.req.param("id");
    if (id !== undefined) context.set("conversation", id);
    const turn = context.req.param("turn");
    if (turn !== undefined) context.set("turn", turn);
    if (spec.needs === "inspect" && context.get("caller")?.mayInspect !== true)
      throw new CairnError("forbidden", "This shows what is internal. It needs a token with the permission `inspect`.");
    const raw = spec.body !== undefined && !takesOther(spec, context);
    return handle(context, {
      params: check("path", spec.params, context.req.param()) as P,
      query: check("query", spec.query, context.req.query()) as Q,
      body: (raw
        ? check(
            "body",
            spec.body,
            await readJson(context.req.raw, spec.mostBytes ?? MAX_JSON_BYTES, context.get("intake")),
          )
        : undefined) as B,
    });
  });
}

/** Registered after the last endpoint: answers wrong methods with the allowed ones. */
export function refuseOtherMethods(app: App): void {
  const methods = new Map<string, string[]>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { path, method } = definition.route;
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  }
  for (const [path, taken] of methods)
    app.all(routeOf(path), () => {
      throw new CairnError("method_not_allowed", `This endpoint accepts ${taken.join(" and ")} only.`, {
        methods: taken,
      });
    });
}

/** Whether the request has a body of another media type, which the handler reads. */
function takesOther<P, Q, B>({ otherBodies }: EndpointSpec<P, Q, B>, context: ServerContext): boolean {
  const type = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return otherBodies !== undefined && Object.hasOwn(otherBodies, type);
}

function check<T>(where: string, schema: z.ZodType<T> | undefined, value: unknown): T | undefined {
  if (schema === undefined) return undefined;
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const at = issue?.path.map(String).join(".") ?? "";
  const what = at === "" ? "" : ` at \`${at.slice(0, 200)}\``;
  throw new CairnError(
    "bad_request",
    `The ${where} of the request is not valid${what}: ${issue?.message ?? "unexpected value"}.`,
  );
}

/** `{id}` is one segment; `{path}` at the end is the rest of the path. */
function routeOf(path: string): string {
  return path.replace(/\{path\}$/, ":path{.+}").replace(/\{(\w+)\}/g, ":$1");
}

function bodyOf<P, Q, B>({ body, otherBodies }: EndpointSpec<P, Q, B>) {
  if (body === undefined && otherBodies === undefined) return {};
  const content = {
    ...(body === undefined ? {} : { "application/json": { schema: body } }),
    ...Object.fromEntries(Object.entries(otherBodies ?? {}).map(([mime, schema]) => [mime, { schema }])),
  };
  return { body: { required: true, content } };
}

function describe({ description, schema, mime }: Answer) {
  if (schema !== undefined) return { description, content: { "application/json": { schema } } };
  return mime === undefined ? { description } : { description, content: { [mime]: { schema: z.string() } } };
}
