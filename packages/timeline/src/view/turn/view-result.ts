/** Adds a result to the view of its turn: content, files and the outcome of the call. */
import type { Block } from "../../block/block.ts";
import { callIdIn } from "../../block/call.ts";
import { type Digest, resultDigest } from "../../block/digest.ts";
import { previewText } from "../../exec/preview.ts";
import { canonicalPath } from "../../path/resolve.ts";
import { statedVisibility } from "../../visibility/rules/internal.ts";
import { failureIn, graver, settledOutcome } from "./round-outcome.ts";
import type { ErrorView, RoundView, TurnView } from "./turn-view.ts";
import { type FileKind, putFile, viewFile } from "./view-file.ts";
import { changeRound } from "./view-round.ts";

interface Appended {
  readonly block: Block;
  readonly position: number;
  readonly version: number;
}

export function addResult(turn: TurnView, kind: FileKind, appended: Appended, sourcesKnown: number): TurnView {
  const { block } = appended;
  const callId = callIdIn(block, true);
  const digest = resultDigest(block);
  if (digest !== null) return callId === null ? turn : addDigest(turn, callId, block, digest);
  if (statedVisibility(block.meta) === "internal")
    return callId === null ? turn : changeRound(turn, callId, settledUnseen);
  const path = block.path === undefined ? null : canonicalPath(block.path);
  const file =
    path?.startsWith("fi:") === true && appended.version > 0
      ? viewFile(kind, block, path, appended.version, sourcesKnown)
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

function withOutcome(round: RoundView, block: Block, digest: Digest | null): RoundView {
  const told = { ...round, outcome: graver(round.outcome, failureIn(round.traits, block, digest)) };
  return { ...told, outcome: settledOutcome(told) };
}

/** The round after a result that people may not see. */
function settledUnseen(round: RoundView): RoundView {
  const settled = { ...round, ...settledByResult(round, null) };
  return { ...settled, outcome: settledOutcome(settled) };
}

/** In timelines of older programs, which do not record the start and end of calls, a result settles its call. */
function settledByResult(round: RoundView, error: ErrorView | null): Partial<RoundView> {
  if (round.started_at !== null || round.status !== "running") return {};
  return { status: error === null ? "ok" : "error" };
}

function viewResult({ block, position }: Appended, path: string | null): RoundView["results"][number] {
  const text = block.text ?? "";
  const shown = previewText(text);
  return { path: path ?? block.path ?? null, mime: block.mime ?? null, text: shown, position, cut: shown !== text };
}
