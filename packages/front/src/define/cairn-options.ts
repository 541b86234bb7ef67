/** The options of `createCairn`. */
import type { Log } from "../telemetry/log.ts";
import type { Agent } from "./agent.ts";

export interface CairnOptions {
  /** The agents. The first one is the default. */
  readonly agents: readonly Agent[];
  /** A folder, or `postgres://…` for several machines. Default: `./.cairn`. */
  readonly store?: string;
  /** With PostgreSQL, where files are stored: `s3://bucket/prefix?…`, or a folder that all machines share. */
  readonly blobs?: string;
  /** With PostgreSQL, the folder for working copies of files, and for files without `blobs`. Default: `./.cairn`. */
  readonly folder?: string;
  /** Turns that run at once; default 8. 0 leaves turns to other processes on the same store. */
  readonly concurrency?: number;
  /** Where keys of model providers are found; default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Writes log entries. By default, warnings and errors go to standard error, one JSON object per line. */
  readonly log?: Log;
}
