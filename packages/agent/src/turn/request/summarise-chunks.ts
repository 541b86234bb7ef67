/**
 * The summary of a range that is too large for one request. Each chunk is summarised in its own request, together with
 * the summary of the earlier chunks, so that one summary of the usual size results.
 *
 * These requests have neither the conversation's tools nor its prefix. They have no receipts, and their cost is stored
 * as asides. If a request fails, the summary has no prose.
 */
import {
  type CompactionPlan,
  type CompactionProse,
  chunkInstruction,
  outputTokens,
  PREFIX_TOKENS,
  PROSE_TOKENS,
  type RenderedView,
  renderChunk,
  summaryChunks,
} from "@cairn/timeline";
import type { Model } from "../../model/model.ts";
import { askModel } from "../../protocol/ask-model.ts";
import { asideOf } from "../state/spending.ts";
import type { TurnContext } from "../state/turn-context.ts";

const MAX_SUMMARY_TOKENS = 1_000;

/** Maximum number of chunks, counted from the end. Of a longer range, the digest alone covers the beginning. */
const MAX_CHUNKS = 16;
/** Share of the window that a request may fill; token counts are estimates. */
const FILL = 0.9;

/** The size that the instruction asks for, in tokens. */
export function summaryTokens(model: Model): number {
  return Math.min(MAX_SUMMARY_TOKENS, outputTokens(model));
}

export async function summariseChunks(context: TurnContext, plan: CompactionPlan): Promise<CompactionProse> {
  const { covered, splitPrefix } = plan;
  const before = covered.slice(0, covered.length - splitPrefix.length);
  const summary = await foldChunks(context, plan, before, PROSE_TOKENS);
  const prefix = await foldChunks(context, plan, splitPrefix, PREFIX_TOKENS);
  return { summary, prefix };
}

async function foldChunks(
  context: TurnContext,
  plan: CompactionPlan,
  entries: CompactionPlan["covered"],
  tokens: number,
): Promise<string | null> {
  const room = chunkRoom(context, plan);
  // Each request also contains the summary of the earlier chunks.
  const chunks = summaryChunks(entries, room - MAX_SUMMARY_TOKENS, context.countTokens).slice(-MAX_CHUNKS);
  let summary: string | null = null;
  for (const [index, chunk] of chunks.entries()) {
    const view = renderChunk(chunk, summary, room, context.countTokens);
    summary = await ask(context, view, chunkInstruction(index + 1, chunks.length, tokens));
  }
  return summary === null || summary.trim() === "" ? null : summary;
}

/** Maximum tokens of a chunk: half of a rejected request, because it is unknown by how much it was too large. */
function chunkRoom(context: TurnContext, { budget, beforeTokens, forced }: CompactionPlan): number {
  const { maxTokens, systemTokens = 0, toolsTokens = 0, tailTokens = 0 } = budget;
  const sent = systemTokens + toolsTokens + beforeTokens + tailTokens;
  const carried = forced ? Math.min(FILL * maxTokens, sent / 2) : FILL * maxTokens;
  const beside = context.countTokens(`${systemText(context)}${chunkInstruction(1, MAX_CHUNKS, PROSE_TOKENS)}`);
  return Math.max(2 * MAX_SUMMARY_TOKENS, Math.floor(carried) - beside - MAX_SUMMARY_TOKENS);
}

async function ask(context: TurnContext, view: RenderedView, instruction: string): Promise<string> {
  const { agent, cacheKey, journal, progress } = context;
  const request = {
    system: systemText(context),
    tools: [],
    view,
    instruction,
    cacheKey,
    strategy: "economic" as const,
    ttl: "5m" as const,
    maxOutputTokens: summaryTokens(agent.model),
    readBlob: () => Promise.reject(new Error("A chunk is summarised from text only, so no bytes can be asked for.")),
  };
  const { text, usage } = await askModel(agent, request, { signal: journal.workSignal });
  const aside = asideOf("summary_part", agent.model, usage);
  journal.timeline.setMeta({ aside });
  progress.spendAside(usage, aside.cost);
  return text;
}

function systemText({ agent }: TurnContext): string {
  return `You summarise conversations with ${agent.name}.`;
}
