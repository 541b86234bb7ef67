/** Opens tracing. Only this file loads the OpenTelemetry packages, so a server without tracing does not need them. */
import { loadOptional } from "@cairn/store";
import type { TracedState, Tracing } from "../tracing.ts";

const PACKAGES = [
  "exporter-metrics-otlp-http",
  "exporter-trace-otlp-http",
  "resources",
  "sdk-metrics",
  "sdk-trace",
].map((name) => `@opentelemetry/${name}`);

/** Throws `bad_setting` when the packages are not installed. */
export async function openTracing(version: string, state: TracedState): Promise<Tracing> {
  const { openOtel } = await loadOptional(() => import("./open-otel.ts"), "CAIRN_OTEL", PACKAGES.join(" "));
  return openOtel(version, state);
}
