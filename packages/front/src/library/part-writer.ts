/** The parts of a run as plain data, for HTTP clients. The last part is the result. */
import type { LiveItem } from "../live/live-item.ts";
import type { Approval, ApprovalPart, ClientToolPart, RunPart } from "./run-part.ts";
import { approvalOf, runParts } from "./run-parts.ts";
import { TurnChanges, type TurnChangesOptions } from "./turn-changes.ts";
import { type TurnResult, turnResult } from "./turn-result.ts";

/** A part of a run without its functions. */
export type PartData =
  | Exclude<RunPart, ApprovalPart | ClientToolPart>
  | ({ readonly type: "approval" | "client_tool" } & Approval)
  | ({ readonly type: "result" } & TurnResult);

export class PartWriter {
  readonly #changes: TurnChanges;
  #isOver = false;

  constructor(options: TurnChangesOptions) {
    this.#changes = new TurnChanges(options);
  }

  /** Whether the result was written. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Streams whose text was shown but is not in a block yet. */
  get openStreams(): readonly string[] {
    return this.#changes.openStreams;
  }

  /** The ids of calls of earlier turns for which the message waits. */
  start(): readonly PartData[] {
    return this.#changes.view.approvals.map(approvalOf).map(asked);
  }

  take(item: LiveItem): readonly PartData[] {
    if (item.type === "heartbeat" || item.type === "status") return this.waitIfAsked();
    const parts = this.#changes.take(item).flatMap((change): readonly PartData[] => runParts(change, asked));
    const { turn, isWithdrawn } = this.#changes;
    return isWithdrawn || (turn !== null && turn.exit !== null) ? [...parts, this.#end()] : parts;
  }

  /** Writes the result of a turn that now waits for a person, which is the last part. */
  waitIfAsked(): readonly PartData[] {
    const { approvals, turns } = this.#changes.view;
    const open = new Set(approvals.map(({ call_id }) => call_id));
    const rounds = turns.flatMap((turn) => turn.rounds);
    const isWaiting = open.size > 0 && rounds.every((round) => round.settled_at !== null || open.has(round.call_id));
    return isWaiting ? [this.#end()] : [];
  }

  #end(): PartData {
    this.#isOver = true;
    return { type: "result", ...turnResult(this.#changes) };
  }
}

function asked(approval: Approval): Extract<PartData, { type: "approval" | "client_tool" }> {
  return { type: approval.client ? "client_tool" : "approval", ...approval };
}
