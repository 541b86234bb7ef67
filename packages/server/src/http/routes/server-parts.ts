/** The dependencies of the endpoints. */

import type { CountTokens } from "@cairn/timeline";
import type { OpenedStore, Settings } from "cairn-agent/process";
import type { Agents, LiveHub, Log, TurnQueue, WriteRoom } from "cairn-agent/turns";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { Tracing } from "../../telemetry/tracing.ts";

export interface ServerParts {
  readonly store: OpenedStore;
  /** The same store, whose calls do not wait for the caller's share of the processor. */
  readonly atOnce: OpenedStore;
  readonly queue: TurnQueue;
  readonly live: LiveHub;
  readonly agents: Agents;
  /** Checked before durable data is written. */
  readonly room: WriteRoom;
  readonly settings: Settings;
  readonly loadTokenizer: () => Promise<CountTokens>;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Null without tracing. */
  readonly tracing: Tracing | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly version: string;
  /** The path below which the API is served, such as `/support`; empty for none. */
  readonly prefix: string;
  /** Whether the server is stopping. */
  readonly isDraining: () => boolean;
}
