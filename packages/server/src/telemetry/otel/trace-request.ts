/** An HTTP request as a span of the caller's trace, if it sent one. The path is left out, because it names files. */
import type { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { RequestTrace } from "../tracing.ts";
import type { Instruments } from "./instruments.ts";

export function traceRequest(
  tracer: Tracer,
  { requestSeconds }: Instruments,
  current: AsyncLocalStorage<string>,
  method: string,
  parent: string | undefined,
): RequestTrace {
  const started = performance.now();
  // The scheme is always http, because a proxy in front of this server ends TLS. Paths are left out.
  const attributes = { "http.request.method": method, "url.scheme": "http" };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(parent));
  return {
    run: (work) => current.run(traceparentOf(span.spanContext()), work),
    end: (route, status) => {
      // Only endpoints have a route. Other requests are named by their method.
      const isEndpoint = route.startsWith("/");
      const facts = {
        ...(isEndpoint ? { "http.route": route } : {}),
        "http.response.status_code": status,
        ...(status >= 500 ? { "error.type": String(status) } : {}),
      };
      span.updateName(isEndpoint ? `${method} ${route}` : method).setAttributes(facts);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      requestSeconds.record((performance.now() - started) / 1_000, { ...attributes, ...facts });
    },
  };
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** An invalid `traceparent` is ignored. */
export function contextOf(parent: string | undefined): Context {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(parent ?? "") ?? [];
  if (traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
