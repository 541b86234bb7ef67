/** The parts that the objects of an application share. */
import type { ConversationKey } from "@cairn/store";
import type { CountTokens } from "@cairn/timeline";
import type { OpenedStore } from "../data/open-store.ts";
import type { LiveHub } from "../live/live-hub.ts";
import type { TurnQueue } from "../queue/turn-queue.ts";
import type { Settings } from "../settings/settings.ts";
import type { WriteRoom } from "../shares/write-room.ts";
import type { Log } from "../telemetry/log.ts";
import type { TurnMeters } from "../telemetry/turn-meters.ts";
import type { Agents } from "../turns/agents.ts";

export interface CairnParts {
  readonly store: OpenedStore;
  /** The store without waiting for a share of processor time, for urgent steps. Applications have no such shares. */
  readonly atOnce: OpenedStore;
  readonly queue: TurnQueue;
  readonly live: LiveHub;
  readonly agents: Agents;
  readonly room: WriteRoom;
  readonly settings: Settings;
  readonly telemetry: TurnMeters;
  readonly log: Log;
  readonly loadTokenizer: () => Promise<CountTokens>;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
}

export interface ConversationParts extends CairnParts {
  readonly key: ConversationKey;
}
