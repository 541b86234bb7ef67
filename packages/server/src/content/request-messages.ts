/**
 * The messages of a past request. Each has its block, its replacement if it is hidden, its tokens and its state in the
 * provider's cache.
 *
 * Providers report only totals of cached tokens. A cache contains prefixes, so Cairn's own counts, scaled to the
 * reported total, give the last message that was read or written. A message after the first difference from the
 * previous request cannot have been read from the cache.
 */
import type { ModelPrices, PastRequest } from "@cairn/agent";
import { type CountTokens, hashMessage, type MessageBlock, previewText, type TimelineState } from "@cairn/timeline";

type Entry = TimelineState["window"][number];

export type CacheFate = "read" | "written" | "none";

export function describeMessages(past: PastRequest, countTokens: CountTokens, prices: ModelPrices | undefined) {
  const { view, state, receipt } = past;
  const owners = ownersOf(state);
  const counted: { readonly message: MessageBlock; readonly entry: Entry | null; readonly tokens: number }[] = [];
  for (let index = 0; index < view.length; index++) {
    const message = view.stableAt(index) ?? view.at(index);
    if (message === undefined) continue;
    const entry = owners.get(message) ?? null;
    counted.push({ message, entry, tokens: tokensOf(message, entry, countTokens) });
  }
  const fates = cacheFates(
    past,
    counted.map(({ tokens }) => tokens),
  );
  const checkpoints = new Set(receipt.checkpoints);
  return counted.map(({ message, entry, tokens }, index) => ({
    index,
    role: "user" as const,
    ...contentOf(message),
    positions: entry === null ? [] : [entry.position],
    paths: entry?.path == null ? [] : [entry.path],
    type: entry?.block.type ?? null,
    turn_id: entry?.block.turn_id ?? null,
    tokens,
    cost: costOf(tokens, fates[index] ?? "none", prices),
    hash: hashMessage(message),
    checkpoint: checkpoints.has(index),
    part: index < view.stableLength ? ("stable" as const) : ("tail" as const),
    cache: fates[index] ?? "none",
    overlay: entry === null ? null : overlayOf(entry),
  }));
}

/** Hidden blocks without a message, because another block of their group shows the replacement. */
export function describeUnseen({ state, view }: PastRequest) {
  const indexes = new Map<MessageBlock, number>();
  for (let index = 0; index < view.stableLength; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) indexes.set(message, index);
  }
  let before = 0;
  return state.window.flatMap((entry) => {
    const { position, path, block, tokens } = entry;
    const last = entry.view?.at(-1);
    if (last !== undefined) before = (indexes.get(last) ?? before - 1) + 1;
    const cover = coverOf(entry);
    if (cover === null || last !== undefined) return [];
    return [
      {
        before,
        position,
        path,
        type: block.type,
        turn_id: block.turn_id ?? null,
        tokens: tokens ?? 0,
        ...cover,
        original_text: previewText(block.text ?? ""),
      },
    ];
  });
}

/** The entry from which each message was rendered. A rendered state contains these entries. */
function ownersOf(state: TimelineState): Map<MessageBlock, Entry> {
  const owners = new Map<MessageBlock, Entry>();
  for (const entry of state.window) for (const message of entry.view ?? []) owners.set(message, entry);
  return owners;
}

function contentOf(message: MessageBlock) {
  if (message.type === "text") return { kind: message.type, text: message.text, mime: null };
  return { kind: message.type, text: `<${message.type} ${message.media_type}>`, mime: message.media_type };
}

function tokensOf(message: MessageBlock, entry: Entry | null, countTokens: CountTokens): number {
  const isWhole = entry?.isWhole && entry.view?.length === 1;
  if (isWhole && entry.tokens !== null) return entry.tokens;
  if (message.type === "text") return countTokens(message.text);
  return entry?.tokens ?? 0;
}

function overlayOf(entry: Entry) {
  const { block, path } = entry;
  const cover = coverOf(entry);
  if (cover !== null) return { ...cover, path, original_text: previewText(block.text ?? "") };
  if (entry.kind.role !== "summary") return null;
  const turns = block.meta?.covered_turn_ids;
  const covered = Array.isArray(turns) ? { turns: turns.filter((turn) => typeof turn === "string") } : {};
  return { state: "compacted" as const, by: "compaction", path, ...covered };
}

/** The overlay or clip that hides a block, or a part of it, from the model; null if there is none. */
function coverOf({ overlay, clip }: Entry): { state: "hidden" | "pruned" | "clipped"; by: string } | null {
  if (overlay !== null) return { state: overlay.by === "agent" ? "hidden" : "pruned", by: overlay.by };
  return clip === null ? null : { state: "clipped", by: "clip" };
}

function cacheFates({ receipt, view, miss }: PastRequest, tokens: readonly number[]): CacheFate[] {
  const { usage, checkpoints } = receipt;
  if (usage === undefined) return tokens.map(() => "none");
  const fixed = receipt.tokens.tools + receipt.tokens.system;
  const ours = fixed + tokens.reduce((sum, each) => sum + each, 0);
  const theirs = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
  const scale = ours === 0 ? 1 : theirs / ours;
  const lastCheckpoint = checkpoints.at(-1) ?? -1;
  const firstChanged = miss === null ? Number.POSITIVE_INFINITY : miss.at.part === "block" ? miss.at.index : 0;
  let reached = fixed * scale;
  return tokens.map((count, index) => {
    const middle = reached + (count * scale) / 2;
    reached += count * scale;
    if (index >= view.stableLength) return "none";
    if (index < firstChanged && middle < usage.cache_read_tokens) return "read";
    return usage.cache_write_tokens > 0 && index <= lastCheckpoint ? "written" : "none";
  });
}

/** Cost of the message's tokens in dollars; 0 if the price is unknown. */
function costOf(tokens: number, fate: CacheFate, prices: ModelPrices | undefined): number {
  if (prices === undefined) return 0;
  const factor = fate === "read" ? prices.cacheRead : fate === "written" ? prices.cacheWrite : 1;
  return (tokens * factor * prices.input) / 1_000_000;
}
