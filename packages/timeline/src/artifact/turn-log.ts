/** The log of a turn: its blocks at the end of the turn, stored as `artifact:turn.log`. */
import type { Block } from "../block/block.ts";
import { withoutReasoning } from "../block/reasoning.ts";
import type { TimelineState } from "../state/state.ts";
import { turnArtifacts } from "./turn-artifacts.ts";

export interface TurnLog {
  readonly turn_id: string;
  readonly ts: string;
  readonly blocks: readonly Block[];
}

/** `announced` is the last announcement of the turn. The log contains it; the timeline never does. */
export function composeTurnLog(state: TimelineState, turnId: string, ts: string, announced: Block | null): TurnLog {
  const blocks = state.turnEntries(turnId).map((entry) => withoutReasoning(entry.payload));
  return { turn_id: turnId, ts, blocks: announced === null ? blocks : [...blocks, announced] };
}

/** A compact description of a turn for an index: one line for each part. */
export function turnLogSummary(state: TimelineState, turnId: string): string {
  const turn = turnArtifacts(state, turnId);
  return JSON.stringify({
    turn_id: turnId,
    prompt: clip(turn?.prompt?.text),
    completion: clip(turn?.completion?.text),
    attachments: turn?.attachments.map((file) => file.path) ?? [],
    files: turn?.files.map((file) => file.path) ?? [],
    sources_used: turn?.citations.map((row) => row.sid) ?? [],
  });
}

const CLIP_CHARS = 200;

function clip(text = ""): string {
  return [...text.slice(0, CLIP_CHARS * 2)].slice(0, CLIP_CHARS).join("");
}
