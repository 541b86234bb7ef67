/**
 * How a request reaches the handler of its endpoint. Each request gets an id, a line in the log and common headers.
 * Then its caller's access and limits are checked. Then the request is validated by the endpoint's definition
 * (`@cairn/api`), which also determines the types.
 */
import { randomUUID } from "node:crypto";
import type { AnswersOf, Endpoint, RequestOf } from "@cairn/api";
import type { ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { ScopeLimits } from "cairn-agent/process";
import type { CairnParts } from "cairn-agent/turns";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { getPath } from "hono/utils/url";
import type { z } from "zod";
import type { Processor } from "../shares/processor.ts";
import { bodyRoomOf, viewRoomOf } from "../shares/request-limits.ts";
import type { RequestRate } from "../shares/request-rate.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { type AccessRules, authenticate } from "./authenticate.ts";
import { BodyRoom, MAX_JSON_BYTES } from "./body-room.ts";
import type { ServerEnvironment } from "./environment.ts";
import { cutOffOf } from "./failures.ts";
import { type HeldBodyOptions, heldBody } from "./held-body.ts";
import { isLarge, jsonBytes } from "./json-pieces.ts";
import { limitRequests } from "./limit-requests.ts";
import type { Pace } from "./pace.ts";
import { readJson } from "./read-body.ts";
import { FILES, routeName } from "./route-name.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { streamBody } from "./stream-body.ts";
import { ViewRoom } from "./view-room.ts";

export class App extends Hono<ServerEnvironment> {
  /** All registered endpoints, in the order of the OpenAPI document. */
  readonly endpoints: Endpoint[] = [];

  /** Removes the prefix from paths that have it. */
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

export interface RequestLimits {
  /** Minimum speed at which clients must send their requests. */
  readonly pace: Pace;
  readonly processor: Processor;
  readonly limits: Pick<ScopeLimits, "requests" | "shares">;
}

interface WatchParts extends Pick<CairnParts, "store" | "log" | "now" | "settings"> {
  readonly telemetry: Telemetry;
  readonly tracing: Tracing | null;
}

/** Gives every request an id, counts it, logs it, and adds common headers. */
export function watch(
  { store, telemetry, tracing, log, now, settings }: WatchParts,
  { pace, processor, limits }: RequestLimits,
  rate: RequestRate,
): MiddlewareHandler<ServerEnvironment> {
  const room = new BodyRoom(bodyRoomOf(settings, limits.shares));
  const views = new ViewRoom(viewRoomOf(settings, limits.shares));
  return async (context, next) => {
    const requestId = randomUUID();
    context.set("requestId", requestId);
    context.set("cutOff", cutOffOf(context, log));
    refuseBodyOfGet(context.req);
    const held = room.open(() => context.get("scope"));
    const arrived = (bytes: number) => rate.noteBytes(context.get("scope"), bytes);
    context.set("intake", { pace, held, arrived, turn: () => processor.enter(context.get("scope")) });
    let leave = null as (() => void) | null;
    context.set("takeRoom", async (key, copies) => {
      const release = await views.enter(key, copies * (await store.storedChars(key)), context.req.raw.signal);
      leave = release;
      return release;
    });
    const started = now();
    const trace = tracing?.request(context.req.method, context.req.header("traceparent"));
    try {
      await (trace === undefined ? next() : trace.run(next));
    } finally {
      held.release();
      if (leave !== null) holdUntilRead(context, { pace, cutOff: context.get("cutOff"), release: leave });
    }
    const { method, path } = context.req;
    const { status, headers } = context.res;
    addSecurityHeaders(headers);
    if (path.startsWith("/api/") && !headers.has("cache-control")) headers.set("cache-control", "no-store");
    headers.set("x-request-id", requestId);
    // No client reads the body of a response to HEAD, so the file or event stream of the body is closed.
    if (method === "HEAD") await context.res.body?.cancel();
    const ms = now() - started;
    const route = routeName(context);
    trace?.end(route, status);
    telemetry.requestDone(ms / 1000, { method, route, status });
    if (route !== FILES && !route.startsWith("/healthz"))
      log.info("request", { request: requestId, method, route, status, ms });
  };
}

/** Refuses a GET request with a body, because a body that arrives slowly would keep its connection open. */
function refuseBodyOfGet(request: ServerContext["req"]): void {
  if (request.method !== "GET" && request.method !== "HEAD") return;
  const length = Number(request.header("content-length") ?? 0);
  const hasBody = request.header("transfer-encoding") !== undefined || length > 0;
  if (hasBody) throw new CairnError("body_of_get", "A GET request to this server must not have a body.");
}

/** Holds the memory of the answer until the body was read. Releases it at once if there is no body, or no reader. */
function holdUntilRead(context: ServerContext, held: HeldBodyOptions): void {
  const { outgoing } = context.env;
  const { body } = context.res;
  outgoing?.once("close", held.release);
  if (body === null || outgoing?.closed === true) held.release();
  else context.res = new Response(heldBody(body, held), context.res);
}

/** Runs the endpoint for callers with access that are within their limits. */
export function admitRequests(rules: AccessRules, rate: RequestRate): MiddlewareHandler<ServerEnvironment> {
  const check = authenticate(rules);
  const limit = limitRequests(rate);
  return async (context, next) => {
    await check(context);
    const release = await limit(context);
    try {
      await next();
    } finally {
      release();
    }
  };
}

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

/** Must be registered after the last endpoint. Answers a wrong method with a list of the allowed methods. */
export function refuseOtherMethods(app: App): void {
  const byPath = Map.groupBy(app.endpoints, ({ path }) => path);
  for (const [path, endpoints] of byPath) {
    const methods = endpoints.map(({ method }) => method.toUpperCase());
    app.all(routeOf(path), () => {
      throw new CairnError("method_not_allowed", `This endpoint accepts ${methods.join(" and ")} only.`, { methods });
    });
  }
}

/** Whether the body has another media type than JSON. Then the handler reads the body itself. */
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
