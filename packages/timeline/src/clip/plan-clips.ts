/**
 * Clipping keeps a single large result, file or prompt from making a request too large.
 *
 * Before a request shows new blocks for the first time, all blocks since the last request together get half of the room
 * that is free for the conversation, smallest first (`share-out.ts`). Blocks that exceed their share are clipped. If
 * many calls of one decision leave too little room for the headers of all their blocks, the largest block of each call
 * represents all its results, and the others are omitted.
 *
 * Blocks that were already sent are not changed, unless the blocks that a compaction must keep no longer fit, for
 * example after a change to a smaller window. These blocks are then clipped again, and the change is declared.
 */
import type { CountTokens } from "../base/ports.ts";
import type { Steps } from "../base/steps.ts";
import type { Clip } from "../block/clip.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import type { NewBlocksRoom } from "../compact/budget.ts";
import { makeEvent } from "../event/codec.ts";
import type { EventBody, KnownEvent } from "../event/event.ts";
import { viewEntry } from "../render/block-view.ts";
import { shownTokens } from "../render/estimate-messages.ts";
import type { Entry } from "../state/entry.ts";
import { type Share, Sharer, shareOut, tokensOf } from "./share-out.ts";

export interface ClipPlan {
  readonly event: KnownEvent;
  /** The change of the cached prefix; null when nothing that was already sent changes. */
  readonly reset: DeclaredReset | null;
}

/** The available space varies a little with the tail. Blocks are not clipped again for such a difference. */
const SLACK = 1.1;

/** Plans the clips with which `entries` fit into their space; null when no clip is needed. */
export function* planClips(
  entries: readonly Entry[],
  room: NewBlocksRoom,
  isSent: (entry: Entry) => boolean,
  countTokens: CountTokens,
): Steps<ClipPlan | null> {
  const shown = entries.filter((entry) => entry.overlay === null);
  const taken = shown.reduce((sum, entry) => sum + takenBy(entry, countTokens), 0);
  const share = shown.some(({ clip }) => clip !== null) ? room.share * SLACK : room.share;
  if (taken <= share) return null;
  const clips: EventBody<"blocks.clipped">["clips"] = [];
  let blocks = 0;
  let tokens = 0;
  for (const { entry, clip, tokens: left } of yield* planned(shown, room, countTokens)) {
    if (!showsLess(clip, entry.clip)) continue;
    clips.push({ position: entry.position, ...clip });
    if (!isSent(entry)) continue;
    blocks++;
    tokens += takenBy(entry, countTokens) - left;
  }
  if (clips.length === 0) return null;
  return {
    event: makeEvent("blocks.clipped", { clips }),
    reset: blocks === 0 ? null : { cause: "clip", blocks, tokens },
  };
}

/** Current tokens of an entry. A block without a clip was counted when it was contributed. */
function takenBy(entry: Entry, countTokens: CountTokens): number {
  if (entry.isWhole && entry.tokens !== null) return entry.tokens;
  entry.view ??= viewEntry(entry);
  return shownTokens(entry, countTokens);
}

function showsLess(clip: Clip, before: Clip | null): boolean {
  if (before === null) return true;
  if (before.omitted) return false;
  return clip.omitted === true || clip.shown_lines < before.shown_lines;
}

interface PlannedClip {
  readonly entry: Entry;
  readonly clip: Clip;
  readonly tokens: number;
}

const OMITTED: Clip = { shown_lines: 0, omitted: true };

function* planned(entries: readonly Entry[], room: NewBlocksRoom, countTokens: CountTokens): Steps<PlannedClip[]> {
  const sharers = entries.map((entry) => new Sharer(entry, countTokens)).filter(({ size }) => size > 0);
  let shares = yield* shareOut(sharers, room.share);
  let omitted = new Set<Sharer>();
  if (tokensOf(shares) > room.share) {
    omitted = beside(sharers);
    shares = yield* shareOut(
      sharers.filter((sharer) => !omitted.has(sharer)),
      room.share,
    );
    shares = dropOver(shares, room.most, omitted);
  }
  return [
    ...[...omitted].map(({ entry }) => ({ entry, clip: OMITTED, tokens: 0 })),
    ...shares.flatMap(({ sharer, clip }) => (clip === null ? [] : [{ entry: sharer.entry, ...clip }])),
  ].sort((a, b) => a.entry.position - b.entry.position);
}

/** The blocks that are omitted first: blocks of a call other than its largest result, and contents of attachments. */
function beside(sharers: readonly Sharer[]): Set<Sharer> {
  const largest = new Map<unknown, Sharer>();
  const others = new Set<Sharer>();
  for (const sharer of sharers) {
    const { call, kind } = sharer.entry;
    if (kind.attachment === "content") others.add(sharer);
    if (call === null || kind.isOfDecision) continue;
    const before = largest.get(call);
    if (before === undefined || sharer.size > before.size) largest.set(call, sharer);
    const smaller = before === undefined ? undefined : sharer.size > before.size ? before : sharer;
    if (smaller !== undefined) others.add(smaller);
  }
  return others;
}

/** Omits results, then calls, oldest first, until the rest fits into `most` tokens. The newest share always stays. */
function dropOver(shares: readonly Share[], most: number, omitted: Set<Sharer>): Share[] {
  let over = tokensOf(shares) - most;
  const dropped = new Set<Share>();
  const last = shares.at(-1);
  const drop = (share: Share) => {
    if (over <= 0 || share === last) return;
    over -= share.clip?.tokens ?? share.sharer.size;
    dropped.add(share);
    omitted.add(share.sharer);
  };
  const ofCalls = shares.filter(({ sharer }) => sharer.entry.call !== null);
  for (const share of ofCalls) if (!share.sharer.entry.kind.isOfDecision) drop(share);
  for (const share of ofCalls) if (share.sharer.entry.kind.isOfDecision) drop(share);
  return shares.filter((share) => !dropped.has(share));
}
