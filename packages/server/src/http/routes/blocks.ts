/** The timeline block by block, for inspection. */

import type { ConversationKey } from "@cairn/store";
import { previewText, type TimelineState } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { blocksAfter, blocksBefore, type JournalBlock } from "../../content/journal-blocks.ts";
import { type App, endpoint } from "../endpoint.ts";
import { conversationParams, countInQuery, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const stateSchema = z.enum(["visible", "clipped", "hidden", "pruned", "compacted"]);

const blockSchema = z
  .object({
    position: z.number().int(),
    seq: z.number().int(),
    turn_id: z.string().nullable(),
    type: z.string(),
    path: z.string().nullable(),
    mime: z.string().nullable(),
    tokens: z.number(),
    version: z.number().int(),
    text: z.string().nullable(),
    cut: z.boolean(),
    meta: z.record(z.string(), z.unknown()),
    state: stateSchema,
    replacement: z.string().nullable(),
    shown_lines: z.number().int().nullable().describe("For a clipped block: how many lines the model is shown"),
  })
  .openapi("Block");

/** Maximum number of blocks that one request scans; a search for something rare continues with the next request. */
const MAX_LOOKED_AT = 5_000;

export function blockRoutes(app: App, { store }: ServerParts): void {
  const position = countInQuery(0, Number.MAX_SAFE_INTEGER).optional();
  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/blocks", tag: "Inspect", summary: "Lists blocks" },
      needs: "inspect",
      params: conversationParams,
      query: z.object({
        ...{ before: position, limit: countInQuery(1, 500).default(100) },
        after: countInQuery(-1, Number.MAX_SAFE_INTEGER).optional().describe("-1 for all blocks, from the first"),
        type: z.string().max(200).optional().describe("Block types, separated by commas"),
        q: z.string().max(1_000).optional().describe("A substring of the text or the path, case-insensitive"),
        turn: z.string().max(200).optional(),
        state: stateSchema.optional(),
      }),
      answers: {
        200: {
          description:
            "Sorted by position, ascending: the last blocks, or those before `before`, or those after `after`. `next` is the position to continue from in the same direction; null at the end.",
          schema: z.object({ blocks: z.array(blockSchema), next: z.number().int().nullable() }),
        },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const { state } = await store.load(key);
      const forward = query.after !== undefined;
      const found: JournalBlock[] = [];
      let looked = 0;
      let next: number | null = null;
      const source =
        query.after === undefined
          ? blocksBefore(store, key, query.before ?? null)
          : blocksAfter(store, key, query.after);
      for await (const block of source) {
        if (found.length >= query.limit || looked >= MAX_LOOKED_AT) {
          next = forward ? block.position - 1 : block.position + 1;
          break;
        }
        looked++;
        const hasState = query.state === undefined || stateOf(block.position, state) === query.state;
        if (hasState && fits(block, query)) found.push(block);
      }
      const ordered = forward ? found : found.reverse();
      return context.json({ blocks: ordered.map((block) => describeBlock(block, state)), next });
    },
  );
}

function fits(
  { block }: JournalBlock,
  {
    type,
    q,
    turn,
  }: { readonly type?: string | undefined; readonly q?: string | undefined; readonly turn?: string | undefined },
): boolean {
  if (turn !== undefined && block.turn_id !== turn) return false;
  if (type !== undefined && type !== "" && !type.split(",").includes(block.type)) return false;
  if (q === undefined || q === "") return true;
  const words = q.toLowerCase();
  return `${block.path ?? ""}\n${block.text ?? ""}`.toLowerCase().includes(words);
}

function describeBlock({ position, seq, block, tokens, version }: JournalBlock, state: TimelineState) {
  const entry = state.at(position);
  const text = block.text ?? null;
  const shown = text === null ? null : previewText(text);
  return {
    ...{ position, seq, tokens, version, type: block.type, text: shown, cut: shown !== text },
    turn_id: block.turn_id ?? null,
    path: block.path ?? null,
    mime: block.mime ?? null,
    meta: block.meta ?? {},
    state: stateOf(position, state),
    replacement: entry?.overlay?.replacement ?? null,
    shown_lines: entry?.clip?.shown_lines ?? null,
  };
}

function stateOf(position: number, state: TimelineState): z.infer<typeof stateSchema> {
  const entry = state.at(position);
  if (entry === null) return "compacted";
  if (entry.overlay === null) return entry.clip === null ? "visible" : "clipped";
  return entry.overlay.by === "agent" ? "hidden" : "pruned";
}
