/** The timeline block by block, for inspection. */
import * as api from "@cairn/api";
import { previewText, type TimelineState, withoutReasoning } from "@cairn/timeline";
import { blocksAfter, blocksBefore, type JournalBlock } from "../../content/journal-blocks.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

/** Maximum number of blocks that one request scans. A search with few hits continues in the next request. */
const MAX_LOOKED_AT = 5_000;

export function blockRoutes(app: App, { store }: ServerParts): void {
  endpoint(app, api.listBlocks, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 3);
    const window = windowOf((await store.load(key)).state);
    const forward = query.after !== undefined;
    const found: api.Block[] = [];
    let looked = 0;
    let next: number | null = null;
    const source =
      query.after === undefined ? blocksBefore(store, key, query.before ?? null) : blocksAfter(store, key, query.after);
    for await (const block of source) {
      if (found.length >= query.limit || looked >= MAX_LOOKED_AT) {
        next = forward ? block.position - 1 : block.position + 1;
        break;
      }
      looked++;
      const entry = window.get(block.position);
      const hasState = query.state === undefined || stateOf(entry) === query.state;
      if (hasState && fits(block, query)) found.push(describeBlock(block, entry));
    }
    return answer(200, { blocks: forward ? found : found.reverse(), next });
  });
}

type Shown = Pick<TimelineState["window"][number], "overlay" | "clip">;

/** How the blocks of the window are shown, by position, without their texts. */
function windowOf({ window }: TimelineState): ReadonlyMap<number, Shown> {
  return new Map(window.map(({ position, overlay, clip }) => [position, { overlay, clip }]));
}

function fits({ block }: JournalBlock, { type, q, turn }: api.RequestOf<typeof api.listBlocks>["query"]): boolean {
  if (turn !== undefined && block.turn_id !== turn) return false;
  if (type !== undefined && type !== "" && !type.split(",").includes(block.type)) return false;
  if (q === undefined || q === "") return true;
  const words = q.toLowerCase();
  return `${block.path ?? ""}\n${block.text ?? ""}`.toLowerCase().includes(words);
}

function describeBlock({ position, seq, block, tokens, version }: JournalBlock, entry: Shown | undefined): api.Block {
  const text = block.text ?? null;
  const shown = text === null ? null : previewText(text);
  return {
    position,
    seq,
    tokens,
    version,
    type: block.type,
    // A copy, because a part of a string keeps the whole string in memory.
    text: shown === null ? null : Buffer.from(shown, "utf16le").toString("utf16le"),
    cut: shown !== text,
    turn_id: block.turn_id ?? null,
    path: block.path ?? null,
    mime: block.mime ?? null,
    meta: withoutReasoning(block).meta ?? {},
    state: stateOf(entry),
    replacement: entry?.overlay?.replacement ?? null,
    shown_lines: entry?.clip?.shown_lines ?? null,
  };
}

function stateOf(entry: Shown | undefined): api.BlockState {
  if (entry === undefined) return "compacted";
  if (entry.overlay === null) return entry.clip === null ? "visible" : "clipped";
  return entry.overlay.by === "agent" ? "hidden" : "pruned";
}
