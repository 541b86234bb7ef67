/** Opens tracing. Only this file loads the OpenTelemetry packages, so a server without tracing does not need them. */
import { CairnError, errorCode } from "@cairn/timeline";
import type { TracedState, Tracing } from "../tracing.ts";

/** Throws `bad_setting` when the packages are not installed. */
export async function openTracing(version: string, state: TracedState): Promise<Tracing> {
  try {
    const { openOtel } = await import("./open-otel.ts");
    return openOtel(version, state);
  } catch (error) {
    if (!(error instanceof Error) || errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CairnError(
      "bad_setting",
      `CAIRN_OTEL needs the @opentelemetry packages that @cairn/server lists as optional dependencies. Install them: ${error.message}`,
    );
  }
}
