/** The rounds of a turn's view: one for each call, in the order the calls first appear, whenever they settle. */
import type { Json, JsonObject } from "../../base/json.ts";
import type { Block } from "../../block/block.ts";
import { callIdIn } from "../../block/call.ts";
import { traitsOfRound } from "../../tool/named-tools.ts";
import type { RoundView, TurnView } from "./turn-view.ts";

export function findRound(turn: TurnView, callId: string): RoundView | undefined {
  return turn.rounds.findLast(({ call_id }) => call_id === callId);
}

/** The data of a call that are known when the call first appears. */
export interface RoundStart {
  readonly call_id: string;
  readonly tool_id: string;
  readonly params?: unknown;
  /** The meta of the call's block, which may record the traits of the tool. */
  readonly meta?: JsonObject | undefined;
}

/** Makes sure that the turn has a round for the call. An existing round keeps its data. */
export function beginRound(turn: TurnView, { call_id, tool_id, params, meta }: RoundStart): TurnView {
  const known = findRound(turn, call_id);
  const traits = traitsOfRound(meta, tool_id, params);
  if (known !== undefined) return known.tool_id === "" ? updateRound(turn, call_id, { tool_id, traits }) : turn;
  const round: RoundView = {
    call_id,
    tool_id,
    traits,
    notes: null,
    sources_known: 0,
    params: (params ?? null) as Json,
    code: null,
    status: "running",
    outcome: null,
    started_at: null,
    settled_at: null,
    results: [],
    error: null,
    files: [],
  };
  return { ...turn, rounds: [...turn.rounds, round] };
}

/** Changes the round of a call, and begins it if the call is new. Notes and code come before their call. */
export function changeRound(
  turn: TurnView,
  callId: string,
  change: (round: RoundView) => Partial<RoundView>,
): TurnView {
  const begun = beginRound(turn, { call_id: callId, tool_id: "" });
  const round = findRound(begun, callId);
  return round === undefined ? begun : updateRound(begun, callId, change(round));
}

/** Changes the round that a block belongs to, if it belongs to one. */
export function changeRoundOf(
  turn: TurnView,
  block: Block,
  change: (round: RoundView) => Partial<RoundView>,
): TurnView {
  const callId = callIdIn(block, false);
  return callId === null ? turn : changeRound(turn, callId, change);
}

export function updateRound(turn: TurnView, callId: string, change: Partial<RoundView>): TurnView {
  const index = turn.rounds.findLastIndex(({ call_id }) => call_id === callId);
  const round = turn.rounds[index];
  return round === undefined ? turn : { ...turn, rounds: turn.rounds.with(index, { ...round, ...change }) };
}
