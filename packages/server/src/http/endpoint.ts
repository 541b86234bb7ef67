/** Registers the handler of an endpoint. Its definition (`@cairn/api`) validates the request and gives the types. */
import type { AnswersOf, Endpoint, RequestOf } from "@cairn/api";
import type { ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { type Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import type { z } from "zod";
import { MAX_JSON_BYTES } from "./body-room.ts";
import type { ServerEnvironment } from "./environment.ts";
import { isLarge, jsonBytes } from "./json-pieces.ts";
import { readJson } from "./read-body.ts";
import { streamBody } from "./stream-body.ts";

export class App extends Hono<ServerEnvironment> {
  /** All registered endpoints, in the order of the OpenAPI document. */
  readonly endpoints: Endpoint[] = [];

  /** Paths are taken without the prefix, if they have it. */
  constructor(prefix = "") {
    super({
      strict: true,
      getPath: (request) => {
        const path = getPath(request);
        return prefix !== "" && `${path}/`.startsWith(`${prefix}/`) ? path.slice(prefix.length) || "/" : path;
      },
    });
  }
}

export type ServerContext = Context<ServerEnvironment>;

/** The key of the conversation that the request's path names. */
export function keyOf(context: ServerContext, { id }: { readonly id: string }): ConversationKey {
  return { ...context.get("scope"), conversation: id };
}

/** Converts the endpoint's result to a JSON response. */
type AnswerWith<E extends Endpoint> = <S extends keyof AnswersOf<E> & number>(
  status: S,
  body: AnswersOf<E>[S],
) => Response;

type Handler<E extends Endpoint> = (
  context: ServerContext,
  request: RequestOf<E>,
  answer: AnswerWith<E>,
) => Promise<Response> | Response;

/** `mostBytes` is the maximum size of a JSON body. */
export function endpoint<E extends Endpoint>(app: App, definition: E, handle: Handler<E>, mostBytes = MAX_JSON_BYTES) {
  const { method, path, needs, params, query, body } = definition;
  app.endpoints.push(definition);
  app.on([method.toUpperCase()], [routeOf(path)], async (context) => {
    context.set("route", path);
    const id = context.req.param("id");
    if (id !== undefined) context.set("conversation", id);
    const turn = context.req.param("turn");
    if (turn !== undefined) context.set("turn", turn);
    if (needs === "inspect" && context.get("caller")?.mayInspect !== true)
      throw new CairnError(
        "forbidden",
        "This endpoint shows internal content. Use a token with the permission `inspect`.",
      );
    const readsBody = body !== undefined && !takesOther(definition, context);
    const request = {
      params: check("path", params, context.req.param()),
      query: check("query", query, context.req.query()),
      body: readsBody
        ? check("body", body, await readJson(context.req.raw, mostBytes, context.get("intake")))
        : undefined,
    };
    const answer: AnswerWith<E> = (status, json) =>
      new Response(
        isLarge(json) ? streamBody(jsonBytes(json), { cutOff: context.get("cutOff") }) : JSON.stringify(json),
        {
          status,
          headers: { "content-type": "application/json" },
        },
      );
    return handle(context, request as RequestOf<E>, answer);
  });
}

/** Registered after the last endpoint: answers wrong methods with the allowed ones. */
export function refuseOtherMethods(app: App): void {
  const byPath = Map.groupBy(app.endpoints, ({ path }) => path);
  for (const [path, endpoints] of byPath) {
    const methods = endpoints.map(({ method }) => method.toUpperCase());
    app.all(routeOf(path), () => {
      throw new CairnError("method_not_allowed", `This endpoint accepts ${methods.join(" and ")} only.`, { methods });
    });
  }
}

/** Whether the request has a body of another media type, which the handler reads. */
function takesOther({ otherBodies }: Endpoint, context: ServerContext): boolean {
  const type = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return otherBodies !== undefined && Object.hasOwn(otherBodies, type);
}

function check(where: string, schema: z.ZodType | undefined, value: unknown): unknown {
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
