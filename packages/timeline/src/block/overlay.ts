/**
 * Overlays: what hides a block from the model without touching its content. They live beside the block and show up
 * in payloads as `meta.hidden`, `meta.hidden_by` and, on one block of a group, `meta.replacement_text`.
 */
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Block } from "./block.ts";

export type HiddenBy = "agent" | "ttl" | "policy";

export interface Overlay {
  readonly by: HiddenBy;
  /** What stands in place of the group; null on the blocks of a group that show nothing at all. */
  readonly replacement: string | null;
}

/** The block as a payload shows it. No field but the three overlay keys changes. */
export function withOverlay(block: Block, overlay: Overlay): Block {
  const meta: JsonObject = { ...block.meta, hidden: true, hidden_by: overlay.by };
  return { ...block, meta: overlay.replacement === null ? meta : { ...meta, replacement_text: overlay.replacement } };
}

/** Takes a payload's block apart. `hidden` without `hidden_by` means the agent hid it. */
export function splitOverlay(block: Block): { readonly block: Block; readonly overlay: Overlay | null } {
  if (!isJsonObject(block.meta) || block.meta.hidden !== true) return { block, overlay: null };
  const { hidden: _, hidden_by, replacement_text, ...meta } = block.meta;
  const by: HiddenBy = hidden_by === "ttl" || hidden_by === "policy" ? hidden_by : "agent";
  const replacement = typeof replacement_text === "string" ? replacement_text : null;
  return { block: Object.keys(meta).length > 0 ? { ...block, meta } : omitMeta(block), overlay: { by, replacement } };
}

function omitMeta(block: Block): Block {
  const { meta: _, ...rest } = block;
  return rest;
}
