/** The log: one JSON object per line, with a time, a level and a message. Secrets are removed from every value. */
import type { Writable } from "node:stream";
import { type Redact, redactor } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where the library writes warnings and errors. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, error: unknown, fields?: LogFields): void;
}

/** The minimum level of lines that are written. */
export type LogLevel = keyof Log;

const LEVELS: readonly LogLevel[] = ["info", "warn", "error"];

export function createLog(
  output: Pick<Writable, "write">,
  now: () => number,
  least: LogLevel = "info",
  redact: Redact = redactor(),
): Log {
  const clean = (_name: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
  const write = (level: LogLevel, message: string, fields: LogFields) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return;
    // Secrets are removed before serialisation, so that a line stays valid JSON.
    output.write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields }, clean)}\n`);
  };
  return {
    info: (message, fields = {}) => write("info", message, fields),
    warn: (message, fields = {}) => write("warn", message, fields),
    error: (message, error, fields = {}) => write("error", message, { ...fields, ...describeError(error) }),
  };
}

/** A typed error is expected, and its code is enough; anything else is a bug, and its stack helps to find it. */
function describeError(error: unknown): LogFields {
  if (CairnError.is(error)) return { code: error.code, error: error.message };
  if (error instanceof Error) return { error: error.message, stack: error.stack };
  return { error: String(error) };
}
