/** The dependencies of the endpoints. */
import type { CairnParts } from "cairn-agent/turns";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { Tracing } from "../../telemetry/tracing.ts";

/** The store without waiting for a share of processor time. Calls of `store` wait for the caller's share. */
export interface ServerParts extends CairnParts {
  readonly telemetry: Telemetry;
  /** Writes OpenTelemetry traces; null when tracing is off. */
  readonly tracing: Tracing | null;
  /** The HTTP request that is being handled, to which the trace of its turn refers. */
  readonly traceparent: () => string | undefined;
  readonly version: string;
  /** The path below which the API is served, such as `/support`; empty for none. */
  readonly prefix: string;
  /** Whether the server is stopping. */
  readonly isDraining: () => boolean;
}
