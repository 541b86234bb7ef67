/** Writes graphile-worker's messages to the server's log. */
import { Logger } from "graphile-worker";
import type { Log } from "../../telemetry/log.ts";

export function jobLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error" || level === "warning") log.warn("queue", { said: message });
  });
}
