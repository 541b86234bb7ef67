/** The OpenTelemetry SDK, configured by its own variables (`OTEL_*`) from the process's environment. */
import { AsyncLocalStorage } from "node:async_hooks";
import { CairnError } from "@cairn/timeline";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracedState, Tracing } from "../tracing.ts";
import { makeInstruments } from "./instruments.ts";
import { traceRequest } from "./trace-request.ts";
import { traceTurn } from "./trace-turn.ts";

const SPAN_DELAY_MS = 5_000;
const METRIC_INTERVAL_MS = 60_000;
/** Maximum delay of the server's stop by a collector that does not answer. */
const LAST_WORDS_MS = 5_000;

export function openOtel(version: string, state: TracedState): Tracing {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": "cairn", "service.version": version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter();
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: milliseconds("OTEL_BSP_SCHEDULE_DELAY", SPAN_DELAY_MS),
  });
  const tracers = new TracerProvider({ resource, sampler: samplerOf(), spanProcessors: [processor] });
  const exportIntervalMillis = milliseconds("OTEL_METRIC_EXPORT_INTERVAL", METRIC_INTERVAL_MS);
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportIntervalMillis, 30_000),
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const tracer = tracers.getTracer("cairn", version);
  const instruments = makeInstruments(meters.getMeter("cairn", version), state);
  const current = new AsyncLocalStorage<string>();
  return {
    request: (method, parent) => traceRequest(tracer, instruments, current, method, parent),
    traceparent: () => current.getStore(),
    turn: (key, agent, request) => traceTurn(tracer, instruments, key, agent, request),
    close: async () => {
      const ending = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, LAST_WORDS_MS);
      await Promise.race([ending, patience.promise]);
      clearTimeout(timer);
    },
  };
}

function samplerOf(): Sampler {
  const name = process.env.OTEL_TRACES_SAMPLER ?? "parentbased_always_on";
  const inner = name.replace(/^parentbased_/, "");
  const root = rootSampler(inner);
  if (root === null)
    throw bad(
      "OTEL_TRACES_SAMPLER",
      "must be always_on, always_off or traceidratio, optionally after the prefix parentbased_",
    );
  return inner === name ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string): Sampler | null {
  if (name === "always_on") return new AlwaysOnSampler();
  if (name === "always_off") return new AlwaysOffSampler();
  if (name !== "traceidratio") return null;
  const ratio = Number(process.env.OTEL_TRACES_SAMPLER_ARG ?? "1");
  if (!(ratio >= 0 && ratio <= 1)) throw bad("OTEL_TRACES_SAMPLER_ARG", "must be a number from 0 to 1");
  return new TraceIdRatioBasedSampler(ratio);
}

function milliseconds(variable: string, byDefault: number): number {
  const given = process.env[variable]?.trim() ?? "";
  if (given === "") return byDefault;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw bad(variable, "must be a whole number of milliseconds above 0");
  return Number(given);
}

function bad(variable: string, problem: string): CairnError {
  return new CairnError("bad_setting", `${variable} ${problem}.`, { variable });
}
