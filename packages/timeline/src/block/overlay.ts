/**
 * Overlays: what hides a block from the model without touching its content. The state keeps them beside the block, and
 * payloads show them as `meta.hidden`, `meta.hidden_by` and, on one block of a group, `meta.replacement_text`. A block
 * that is shown in part has a clip instead (`clip.ts`).
 */
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { Block } from "./block.ts";
import { type Clip, readClip } from "./clip.ts";

export type HiddenBy = "agent" | "ttl" | "policy";

export interface Overlay {
  readonly by: HiddenBy;
  /** Text shown in place of the group; null on blocks of the group that show nothing. */
  readonly replacement: string | null;
}

/** The block as a payload shows it. Only the three overlay fields change. */
export function withOverlay(block: Block, overlay: Overlay): Block {
  const meta: JsonObject = { ...block.meta, hidden: true, hidden_by: overlay.by };
  return { ...block, meta: overlay.replacement === null ? meta : { ...meta, replacement_text: overlay.replacement } };
}

/** A block of a payload, split into the block as it was contributed and its overlay or clip. */
export interface SplitBlock {
  readonly block: Block;
  readonly overlay: Overlay | null;
  readonly clip: Clip | null;
}

/**
 * `hidden` without `hidden_by` means that the agent hid the block. A block that is hidden and clipped counts as hidden.
 */
export function splitOverlay(block: Block): SplitBlock {
  if (!isJsonObject(block.meta)) return { block, overlay: null, clip: null };
  const clip = readClip(block);
  if (block.meta.hidden !== true) {
    if (clip === null) return { block, overlay: null, clip };
    const { clipped: _, ...meta } = block.meta;
    return { block: withMeta(block, meta), overlay: null, clip };
  }
  const { hidden: _, hidden_by, replacement_text, clipped, ...meta } = block.meta;
  const by: HiddenBy = hidden_by === "ttl" || hidden_by === "policy" ? hidden_by : "agent";
  const replacement = typeof replacement_text === "string" ? replacement_text : null;
  const kept = clip === null && clipped !== undefined ? { ...meta, clipped } : meta;
  return { block: withMeta(block, kept), overlay: { by, replacement }, clip: null };
}

function withMeta(block: Block, meta: JsonObject): Block {
  return Object.keys(meta).length > 0 ? { ...block, meta } : omitMeta(block);
}

function omitMeta(block: Block): Block {
  const { meta: _, ...rest } = block;
  return rest;
}
