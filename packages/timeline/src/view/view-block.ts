/** What one block adds to the view of its turn. Blocks of unknown types, and blocks only for the model, add nothing. */
import { readFollowups } from "../artifact/followups.ts";
import type { Block } from "../block/block.ts";
import { callIdOf } from "../block/call.ts";
import { type Digest, resultDigest } from "../block/digest.ts";
import type { EventBody } from "../event/event.ts";
import { previewText } from "../exec/preview.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../json.ts";
import { canonicalPath } from "../path/resolve.ts";
import { type PlanSnapshot, parsePlan, stepStatus } from "../plan/plan.ts";
import { statedVisibility } from "../visibility/internal.ts";
import { failureIn, failureInNotice, graver, settledOutcome } from "./round-outcome.ts";
import type { ErrorView, PlanView, TurnView } from "./turn-view.ts";
import { fileOfBlock, putFile } from "./view-file.ts";
import { beginRound, findRound, updateRound } from "./view-round.ts";

type Appended = EventBody<"block.appended">;

/** `sourcesKnown`: the highest SID the block's text can cite. */
export function viewBlock(turn: TurnView, appended: Appended, sourcesKnown: number): TurnView {
  const { block } = appended;
  switch (block.type) {
    case "user.prompt":
      return addPrompt(turn, block);
    case "user.attachment.meta":
    case "user.attachment":
      return addAttachment(turn, appended, sourcesKnown);
    case "react.notes":
      return addToRound(turn, block, (round) => ({
        notes: joined(round.notes, block.text),
        sources_known: sourcesKnown,
      }));
    case "react.tool.code":
      return addToRound(turn, block, () => ({ code: block.text ?? "" }));
    case "react.tool.call":
      return addCall(turn, block);
    case "react.notice":
      return addNotice(turn, appended);
    case "react.tool.result":
      return addResult(turn, appended, sourcesKnown);
    case "react.plan": {
      const plan = parsePlan(block.text);
      return plan === null ? turn : { ...turn, plan: viewPlan(plan) };
    }
    case "assistant.completion":
      return addCompletion(turn, appended, sourcesKnown);
    case "stage.suggested_followups":
      return { ...turn, followups: readFollowups(parseJsonObject(block.text), block.text) };
    case "react.exit": {
      const error = errorOf(parseJsonObject(block.text)?.error);
      return error === null ? turn : { ...turn, error };
    }
    default:
      return turn;
  }
}

/** The message that opened the turn, then the messages that steered it. */
function addPrompt(turn: TurnView, block: Block): TurnView {
  const text = block.text ?? "";
  const ts = block.ts ?? null;
  const isSteering = /\.user\.prompt\.\d+$/.test(block.path ?? "");
  if (!isSteering) return { ...turn, prompt: { text, ts } };
  return { ...turn, inputs: [...turn.inputs, { mode: "steer", text, attachments: [], ts }] };
}

/** An attachment belongs to the message before it. */
function addAttachment(turn: TurnView, { block, version }: Appended, sourcesKnown: number): TurnView {
  const path = canonicalOf(block);
  const file = path === null ? null : fileOfBlock(block, path, version, sourcesKnown);
  if (file === null) return turn;
  const steering = turn.inputs.at(-1);
  if (steering === undefined || turn.attachments.some((other) => other.path === file.path))
    return { ...turn, attachments: putFile(turn.attachments, file) };
  const steered = { ...steering, attachments: putFile(steering.attachments, file) };
  return { ...turn, inputs: turn.inputs.with(-1, steered) };
}

type Round = TurnView["rounds"][number];

/** Notes and code come before their call. */
function addToRound(turn: TurnView, block: Block, change: (round: Round) => Partial<Round>): TurnView {
  const callId = callIdOf(block);
  return callId === null ? turn : changeRound(turn, callId, change);
}

function addCall(turn: TurnView, block: Block): TurnView {
  const callId = callIdOf(block);
  if (callId === null) return turn;
  const { tool_id, params = null } = parseJsonObject(block.text) ?? {};
  const named = typeof tool_id === "string" ? tool_id : "";
  return updateRound(beginRound(turn, { call_id: callId, tool_id: named, params }), callId, { params });
}

function addNotice(turn: TurnView, { block, position }: Appended): TurnView {
  const notice = parseJsonObject(block.text);
  const code = textIn(notice, "code");
  const message = notice === null ? (block.text ?? "") : textIn(notice, "message");
  const call_id = callIdOf(block);
  const noticed = { ...turn, notices: [...turn.notices, { code, message, call_id, position }] };
  const failure = failureInNotice(code, message);
  if (failure === null || call_id === null) return noticed;
  return updateRound(noticed, call_id, { outcome: graver(findRound(noticed, call_id)?.outcome ?? null, failure) });
}

function addResult(turn: TurnView, appended: Appended, sourcesKnown: number): TurnView {
  const { block } = appended;
  const callId = callIdOf(block);
  const digest = resultDigest(block);
  if (digest !== null) return callId === null ? turn : addDigest(turn, callId, block, digest);
  if (statedVisibility(block.meta) === "internal")
    return callId === null ? turn : changeRound(turn, callId, settledUnseen);
  const path = canonicalOf(block);
  const file =
    path?.startsWith("fi:") === true && appended.version > 0
      ? fileOfBlock(block, path, appended.version, sourcesKnown)
      : null;
  const listed = file === null ? turn : { ...turn, files: putFile(turn.files, file) };
  if (callId === null) return listed;
  return changeRound(listed, callId, (round) => {
    const result =
      file === null
        ? { results: [...round.results, viewResult(appended, path)] }
        : { files: putFile(round.files, file) };
    return withOutcome({ ...round, ...settledByResult(round, null), ...result }, block, null);
  });
}

function addDigest(turn: TurnView, callId: string, block: Block, digest: Digest): TurnView {
  const error = digest.error ?? null;
  return changeRound(turn, callId, (round) =>
    withOutcome({ ...round, ...settledByResult(round, error), ...(error === null ? {} : { error }) }, block, digest),
  );
}

function withOutcome(round: Round, block: Block, digest: Digest | null): Round {
  const told = { ...round, outcome: graver(round.outcome, failureIn(round.tool_id, block, digest)) };
  return { ...told, outcome: settledOutcome(told) };
}

/** The round after a result that nobody is shown. */
function settledUnseen(round: Round): Round {
  const settled = { ...round, ...settledByResult(round, null) };
  return { ...settled, outcome: settledOutcome(settled) };
}

/** In timelines of older programs, which do not record the start and end of calls, a result settles its call. */
function settledByResult(round: Round, error: ErrorView | null): Partial<Round> {
  if (round.started_at !== null || round.status !== "running") return {};
  return { status: error === null ? "ok" : "error" };
}

function viewResult({ block, position }: Appended, path: string | null): Round["results"][number] {
  const text = block.text ?? "";
  const shown = previewText(text);
  return { path: path ?? block.path ?? null, mime: block.mime ?? null, text: shown, position, cut: shown !== text };
}

function addCompletion(turn: TurnView, { block, position }: Appended, sources_known: number): TurnView {
  const completion = {
    text: block.text ?? "",
    path: canonicalOf(block),
    position,
    sources_known,
    interrupted: block.meta?.interrupted === true,
    clarification: block.meta?.clarification === true,
  };
  return { ...turn, completion };
}

function viewPlan(plan: PlanSnapshot): PlanView {
  const steps = plan.steps.map((text, index) => ({ text, status: stepStatus(plan, index + 1) }));
  return { id: plan.plan_id, steps, closed: plan.closed === true };
}

function changeRound(turn: TurnView, callId: string, change: (round: Round) => Partial<Round>): TurnView {
  const begun = beginRound(turn, { call_id: callId, tool_id: "" });
  const round = findRound(begun, callId);
  return round === undefined ? begun : updateRound(begun, callId, change(round));
}

function canonicalOf({ path }: Block): string | null {
  return path === undefined ? null : canonicalPath(path);
}

function joined(before: string | null, text = ""): string {
  return before === null ? text : `${before}\n${text}`;
}

function errorOf(value: unknown): ErrorView | null {
  return isJsonObject(value) ? { code: textIn(value, "code"), message: textIn(value, "message") } : null;
}

function textIn(json: JsonObject | null, field: string): string {
  const value = json !== null && Object.hasOwn(json, field) ? json[field] : undefined;
  return typeof value === "string" ? value : "";
}
