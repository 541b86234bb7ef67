/**
 * Handles pictures and documents that cannot be sent, because the provider refuses them (a damaged picture, a PDF with
 * a password, a model that takes no pictures) or because their bytes are missing. One such file would make every later
 * request fail. So the files are hidden, the view shows the reason in their place, and the request is retried. An error
 * does not name the file, so the files of the current turn are hidden first, and then all files.
 *
 * If the error says that there are too many files or bytes, the oldest files are left out, as for a known limit.
 *
 * If a model accepts no files of a kind at all, they stay in view and are described in its requests.
 */
import { blobOf, CairnError, type FileKind, fileSize, isBlobRef, type TimelineState } from "@cairn/timeline";
import { statedTokens } from "../../model/context-limit.ts";
import type { Model } from "../../model/model.ts";
import { ModelError } from "../../model/model-error.ts";
import { readRequestRecord } from "../../receipt/request-record.ts";
import type { TurnContext } from "../state/turn-context.ts";

type Entry = TimelineState["window"][number];

/** Error messages such as `Could not process image`, `The PDF specified is password protected`, `Invalid file data`. */
const ABOUT_FILES = /\b(?:images?|pictures?|pdfs?|documents?|files?|media|pages?|vision|multimodal)\b/i;
const REFUSALS = new Set([400, 415, 422]);
const LOST = new Set(["blob_missing", "not_found", "corrupt"]);
const MAX_REASON_LENGTH = 300;

/** Kinds of files that the model does not accept: from the registry, and from the errors of earlier requests. */
export function knownDescribed({ lastReceipt }: TimelineState, { id, describes = [] }: Model): Set<FileKind> {
  const last = lastReceipt === null ? null : readRequestRecord(lastReceipt);
  return new Set([...describes, ...(last?.model === id ? (last.sent?.describes ?? []) : [])]);
}

/** Whether files were described or hidden, so that the request may be retried. */
export function coverRefusedFiles(context: TurnContext, error: unknown): boolean {
  // Described files are not sent, so hiding them would not help.
  const shown = context.journal.timeline.state.window.filter(
    (entry) => isShownFile(entry) && !context.progress.describes.has(kindOf(entry)),
  );
  if (describeRefused(context, shown, error)) return true;
  const lost = lostBlob(error);
  if (lost !== null)
    return cover(
      context,
      shown.filter(({ block }) => blobOf(block) === lost),
      "its bytes are gone",
    );
  if (isTooManyBytes(error)) return limitBytes(context, shown);
  if (!isRefusal(error)) return false;
  const most = statedCount(error.message);
  if (most !== null && most < shown.length && context.progress.files?.count !== most) {
    context.progress.limitFiles({ ...context.agent.model.files, count: most });
    return true;
  }
  const reason = `the model's provider does not accept it (${error.message.slice(0, MAX_REASON_LENGTH).toWellFormed()})`;
  const fresh = shown.filter(({ block }) => block.turn_id === context.turnId);
  return cover(context, fresh.length > 0 ? fresh : shown, reason);
}

/**
 * If the model accepts no files of a kind, all files of this kind are described from now on, and none is hidden. So
 * another model that accepts them can see them again. If the error does not name the kind, documents are described
 * first, because fewer models accept them.
 */
function describeRefused({ progress }: TurnContext, shown: readonly Entry[], error: unknown): boolean {
  const refused = error instanceof ModelError ? error.details.refused_files : undefined;
  const kinds: readonly FileKind[] = refused === "image" || refused === "document" ? [refused] : ["document", "image"];
  if (refused === undefined) return false;
  const kind = kinds.find((each) => shown.some((entry) => kindOf(entry) === each));
  if (kind === undefined) return false;
  progress.describeFiles(kind);
  return true;
}

function kindOf({ block }: Entry): FileKind {
  return /^image\//i.test(block.mime ?? "") ? "image" : "document";
}

function isShownFile({ block, isWhole }: Entry): boolean {
  if (!isWhole || (blobOf(block) === null && !block.base64)) return false;
  return /^image\/|^application\/pdf/i.test(block.mime ?? "");
}

function lostBlob(error: unknown): string | null {
  if (!CairnError.is(error) || !LOST.has(error.code)) return null;
  return isBlobRef(error.details.blob) ? error.details.blob : null;
}

/** Whether a request was rejected for its size in bytes and not in tokens. */
export function isTooManyBytes(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || error.kind !== "context_limit") return false;
  return error.details.status === 413 && statedTokens(error.message) === null;
}

/** Shows only the newest files, with at most half of the bytes, because the files exceed the provider's limit. */
function limitBytes({ agent, progress }: TurnContext, shown: readonly Entry[]): boolean {
  if (shown.length === 0) return false;
  const base64 = shown.reduce((sum, { block }) => sum + Math.ceil((fileSize(block) ?? 0) / 3) * 4, 0);
  progress.limitFiles({ ...(progress.files ?? agent.model.files), base64: base64 - 1 });
  return true;
}

function isRefusal(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || error.kind !== "fatal") return false;
  return REFUSALS.has(Number(error.details.status)) && ABOUT_FILES.test(error.message);
}

/** Error messages that state a limit: `At most 5 image(s) may be provided`, `exceeding the maximum of 50 allowed`. */
const COUNTS = [
  /at most (\d{1,5}) (?:image|picture|document|file)/i,
  /maximum (?:of|is) (\d{1,5})\b/i,
  /exceeds limit (\d{1,5}) per request/i,
  /> (\d{1,5})\s*$/,
];

/** The number of files that a rejection allows; null when it states none. */
function statedCount(message: string): number | null {
  for (const pattern of COUNTS) {
    const [, count] = pattern.exec(message.slice(0, 2_000)) ?? [];
    if (count !== undefined && Number(count) > 0) return Number(count);
  }
  return null;
}

function cover({ journal, progress }: TurnContext, entries: readonly Entry[], reason: string): boolean {
  if (entries.length === 0) return false;
  const groups = entries.map(({ position, path, block }) => ({
    positions: [position],
    anchor: position,
    replacement: `[NOT SHOWN] ${path ?? ""} (${block.mime ?? ""}): ${reason}.`,
  }));
  journal.timeline.record("blocks.pruned", { by: "policy", groups });
  progress.declareCovered({ cause: "turn_prune", blocks: groups.length });
  return true;
}
