/**
 * Limits on pictures and documents in a request. A provider rejects a request that exceeds them, and every later
 * request of the conversation that still contains the files.
 *
 * A file that is too large by itself is described by its path. When all files together exceed a limit, the oldest files
 * are dropped until half of the limit is free again: dropping them one by one would change the prefix in every request.
 * The newest files stay.
 */
import type { CountTokens } from "../base/ports.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import { makeEvent } from "../event/codec.ts";
import type { EventBody } from "../event/event.ts";
import type { FileKind } from "../message/message.ts";
import { clipSource, viewEntry } from "../render/block-view.ts";
import { fileSize } from "../render/clip-note.ts";
import { shownTokens } from "../render/estimate-messages.ts";
import type { Entry } from "../state/entry.ts";
import type { ClipPlan } from "./plan-clips.ts";

export interface FileLimits {
  /** Maximum number of pictures and document pages together. */
  readonly count?: number;
  readonly images?: number;
  /** Maximum number of documents, however many pages they have. */
  readonly documents?: number;
  /** Maximum characters of base64 of all files together. */
  readonly base64?: number;
  /** Maximum characters of base64 of one file, by kind of file. */
  readonly largest?: Readonly<Partial<Record<FileKind, number>>>;
  /** Maximum pixels of the longer side of a picture. */
  readonly side?: number;
  /** A request with a picture whose longer side has more pixels than `side` shows at most `count` pictures. */
  readonly large?: { readonly side: number; readonly count: number };
}

interface ShownFile {
  readonly entry: Entry;
  readonly kind: FileKind;
  readonly base64: number;
  /** Number of pages of a document; 1 for a picture. */
  readonly pages: number;
  /** Pixels of the longer side; 0 if unknown. */
  readonly side: number;
}

/** `files`: entries with a picture or document, oldest first. `described`: kinds that are not sent at all. */
export function planFileClips(
  files: readonly Entry[],
  limits: FileLimits,
  described: ReadonlySet<FileKind>,
  isSent: (entry: Entry) => boolean,
  countTokens: CountTokens,
): ClipPlan | null {
  const shown = files.flatMap(measure).filter(({ kind }) => !described.has(kind));
  const fitting = shown.filter((file) => !isTooLarge(file, limits));
  const kept = keepNewest(fitting, limits);
  const left = new Set(fitting.filter((file) => !kept.has(file)));
  const clipped = shown.filter((file) => !kept.has(file));
  if (clipped.length === 0) return null;
  const clips: EventBody<"blocks.clipped">["clips"] = clipped.map((file) => ({
    position: file.entry.position,
    shown_lines: clipSource(file.entry).lines,
    ...(left.has(file) ? { file_limit: true as const } : {}),
  }));
  return { event: makeEvent("blocks.clipped", { clips }), reset: resetOf(clipped, isSent, countTokens) };
}

function resetOf(
  clipped: readonly ShownFile[],
  isSent: (entry: Entry) => boolean,
  countTokens: CountTokens,
): DeclaredReset | null {
  const sent = clipped.filter(({ entry }) => isSent(entry));
  if (sent.length === 0) return null;
  const tokens = sent.reduce((sum, { entry }) => sum + shownTokens(entry, countTokens), 0);
  return { cause: "clip", blocks: sent.length, tokens };
}

function measure(entry: Entry): ShownFile[] {
  entry.view ??= viewEntry(entry);
  const { width, height, pages } = entry.block.meta ?? {};
  return entry.view.flatMap(({ type: kind }) =>
    kind === "text"
      ? []
      : [
          {
            entry,
            kind,
            base64: Math.ceil((fileSize(entry.block) ?? 0) / 3) * 4,
            pages: kind === "document" ? Math.max(1, numberOf(pages)) : 1,
            side: kind === "image" ? Math.max(numberOf(width), numberOf(height)) : 0,
          },
        ],
  );
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function isTooLarge({ kind, base64, pages, side }: ShownFile, limits: FileLimits): boolean {
  const { largest = {}, count = Infinity, base64: most = Infinity, side: longest = Infinity } = limits;
  return base64 > Math.min(largest[kind] ?? Infinity, most) || pages > count || side > longest;
}

/** All files if they are within the limits; otherwise the newest files that use at most half of them. */
function keepNewest(files: readonly ShownFile[], limits: FileLimits): ReadonlySet<ShownFile> {
  const all = new Sum(limits);
  for (const file of files) all.add(file);
  if (all.isWithin(1)) return new Set(files);
  const kept = new Sum(limits);
  const newest = new Set<ShownFile>();
  for (const file of files.toReversed()) {
    kept.add(file);
    if (newest.size > 0 && !kept.isWithin(0.5)) break;
    newest.add(file);
  }
  return newest;
}

/** Sums up what files use of the limits. */
class Sum {
  readonly #limits: FileLimits;
  #base64 = 0;
  #pages = 0;
  #images = 0;
  #documents = 0;
  #side = 0;

  constructor(limits: FileLimits) {
    this.#limits = limits;
  }

  add({ base64, pages, kind, side }: ShownFile): void {
    this.#base64 += base64;
    this.#pages += pages;
    this.#images += kind === "image" ? 1 : 0;
    this.#documents += kind === "document" ? 1 : 0;
    this.#side = Math.max(this.#side, side);
  }

  /** Whether the sum uses at most this share of the limits. */
  isWithin(share: number): boolean {
    const { count = Infinity, base64 = Infinity, documents = Infinity, large } = this.#limits;
    const ofLarge = large !== undefined && this.#side > large.side ? large.count : Infinity;
    const images = Math.min(this.#limits.images ?? Infinity, ofLarge);
    const isFew = this.#images <= images * share && this.#documents <= documents * share;
    return isFew && this.#pages <= count * share && this.#base64 <= base64 * share;
  }
}
