/** The API of a Cairn as a part of another application: in Hono, Express, Next, Bun, or any framework with `fetch`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CairnError } from "@cairn/timeline";
import { getRequestListener } from "@hono/node-server";
import type { Cairn } from "cairn-agent";
import { checkOptions, type OptionKinds, scopeLimits } from "cairn-agent/process";
import { partsOf } from "cairn-agent/turns";
import manifest from "../package.json" with { type: "json" };
import { type AppOptions, composeApp } from "./app.ts";
import { type Authenticate, applicationCallers } from "./auth/application-callers.ts";
import { PACE } from "./http/pace.ts";
import type { RequestStates } from "./mcp/request-states.ts";
import { Processor } from "./shares/processor.ts";
import { shareSteps } from "./shares/share-steps.ts";
import { createTelemetry } from "./telemetry/telemetry.ts";

export type { Access, Authenticate } from "./auth/application-callers.ts";
export type { RequestStates } from "./mcp/request-states.ts";

export interface HandlerOptions<E> {
  /**
   * Returns the caller of a request, or null if the caller has no access and gets status 401. It is called for every
   * request, and about every 15 seconds for an open stream. The stream ends when the caller has lost access.
   */
  readonly authenticate: Authenticate<E>;
  /**
   * The path at which browsers reach the handler, such as `/support`. Default: the root. Requests may arrive with this
   * path or, if the framework removes it, without.
   */
  readonly prefix?: string;
  /** Sites whose pages may send requests, such as `https://app.example`, besides the handler's own site. */
  readonly origins?: readonly string[];
  /**
   * Adds tools, resources and prompts of the application to the MCP server at `/mcp`. It is called for every request,
   * and once for each session of an older client. `server` is the `McpServer` of `@modelcontextprotocol/server`;
   * annotate the parameter with the type from there. A tool that asks a person with `inputRequired` must make its state
   * with `states.seal(state, context)`, because other states are rejected.
   */
  readonly extendMcp?: (server: never, states: RequestStates) => void;
  /** A folder with an `index.html`, such as a built web app. Without it, only the API is served. */
  readonly webFolder?: string;
}

const OPTIONS: OptionKinds<HandlerOptions<unknown>> = {
  authenticate: "function",
  prefix: "text",
  origins: "list",
  extendMcp: "function",
  webFolder: "text",
};

/** The objects that Node's HTTP server passes with a request. */
export interface NodeEnv {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

export interface Handler {
  /** `env`: the objects that the platform passes with a request. They are passed to `authenticate`. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>;
}

export function createHandler<E = NodeEnv>(cairn: Cairn, options: HandlerOptions<E>): Handler {
  checkOptions(options, OPTIONS, "`createHandler`", "bad_setting");
  const { prefix = "", origins = [], webFolder = null } = options;
  if (options.authenticate === undefined)
    throw new CairnError(
      "bad_setting",
      "`createHandler` needs `authenticate`, a function that returns the caller of a request.",
    );
  for (const origin of origins) checkOrigin(origin);
  const cairnParts = partsOf(cairn);
  const { atOnce, queue, live, settings } = cairnParts;
  // Callers are known to the application, so each of them gets a share.
  const limits = scopeLimits(settings, true);
  const processor = new Processor(limits.time, () => performance.now());
  const state = { running: () => queue.running, waiting: () => queue.waiting, followers: () => live.followers };
  const parts = {
    ...cairnParts,
    store: shareSteps(atOnce, processor),
    telemetry: createTelemetry(state),
    tracing: null,
    traceparent: () => undefined,
    version: manifest.version,
    prefix,
    isDraining: () => false,
  };
  const app = composeApp(parts, {
    findCaller: applicationCallers(options.authenticate),
    isOpen: false,
    origins,
    extendMcp: options.extendMcp as AppOptions["extendMcp"],
    audit: null,
    webFolder,
    pace: PACE,
    processor,
    limits,
    serves: "api",
  });
  checkPrefix(prefix, [...app.endpoints.map(({ path }) => path), "/mcp"]);
  return { fetch: (request, env) => app.fetch(request, (env ?? {}) as NodeEnv) };
}

/** A listener for Express and `node:http`. It must come before middleware that parses bodies, because it reads them. */
export function toNode(handler: Handler): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return getRequestListener(handler.fetch, { overrideGlobalObjects: false });
}

/** Browsers send an origin without a path, so an address with a path would match no request. */
function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new CairnError(
    "bad_setting",
    `\`origins\` contains ${JSON.stringify(origin)}. Each must be an origin such as "https://app.example", without a path.`,
  );
}

/** Throws if the path of an endpoint begins with the prefix, because both could not be distinguished. */
function checkPrefix(prefix: string, endpoints: readonly string[]): void {
  const isPath = prefix === "" || /^(?:\/[\w.~-]+)+$/.test(prefix);
  if (!isPath)
    throw new CairnError(
      "bad_setting",
      `\`prefix\` is ${JSON.stringify(prefix)}. It must be a path such as "/support", without a slash at its end.`,
    );
  const same = prefix === "" ? undefined : endpoints.find((path) => `${path}/`.startsWith(`${prefix}/`));
  if (same !== undefined)
    throw new CairnError(
      "bad_setting",
      `\`prefix\` is ${prefix}, but the endpoint ${same} already starts with it. Choose a different prefix, or leave it out.`,
    );
}
