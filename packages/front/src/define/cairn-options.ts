/** The options of `createCairn`. */
import type { Log } from "../telemetry/log.ts";
import type { Agent } from "./agent.ts";

export interface CairnOptions {
  /** The agents. The first one is the default. */
  readonly agents: readonly Agent[];
  /** A data folder, or the URL `postgres://…` of a database for several machines. Default: `./.cairn`. */
  readonly store?: string;
  /** With PostgreSQL, the place for files: `s3://bucket/prefix?…`, or a folder that all machines share. */
  readonly blobs?: string;
  /** With PostgreSQL, the folder for working copies, and for all files if `blobs` is not set. Default: `./.cairn`. */
  readonly folder?: string;
  /** Maximum number of concurrent turns; default 8. With 0, only other processes on the same store run turns. */
  readonly concurrency?: number;
  /** The variables with the keys of model providers; default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Writes log entries. By default, warnings and errors go to standard error, one JSON object per line. */
  readonly log?: Log;
}
