/**
 * Asks the conversation's own model for the prose of a compaction. The request begins with the conversation's prefix,
 * which is read from the cache. A range that is too large for one request is summarised in chunks
 * (`summarise-chunks.ts`): after a provider has rejected the request, or when the conversation continues with a smaller
 * model. Without an answer the digest alone is used.
 */
import { type CompactionPlan, type CompactionProse, prefixInstruction, summaryInstruction } from "@cairn/timeline";
import { renderSettings } from "../../definition/agent-memory.ts";
import { offeredText } from "../../definition/check-agent-fits.ts";
import { ModelError } from "../../model/model-error.ts";
import { withoutSecrets } from "../../model/redact.ts";
import { askModel } from "../../protocol/ask-model.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { InFlightRequest, type PlannedRequest } from "./in-flight-request.ts";
import { keepReceipt } from "./keep-receipt.ts";
import { composeRequest } from "./plan-request.ts";
import { summariseChunks, summaryTokens } from "./summarise-chunks.ts";
import { summarySettings } from "./turn-settings.ts";

const NO_PROSE: CompactionProse = { summary: null, prefix: null };

export async function summarise(context: TurnContext, plan: CompactionPlan): Promise<CompactionProse> {
  context.listener({ type: "on_before_compaction", before_tokens: plan.beforeTokens });
  try {
    if (plan.forced || !fitsOneRequest(context, plan)) return await summariseChunks(context, plan);
    return await summariseWhole(context, plan);
  } catch (error) {
    context.journal.signal.throwIfAborted();
    context.listener({
      type: "progress",
      callId: "compaction",
      text: withoutSecrets(`No summary: ${error instanceof Error ? error.message : "the model failed"}`),
    });
    return NO_PROSE;
  }
}

async function summariseWhole(context: TurnContext, plan: CompactionPlan): Promise<CompactionProse> {
  try {
    const summary = await ask(context, summaryInstruction(plan));
    const instruction = prefixInstruction(plan);
    return { summary, prefix: instruction === null || summary === null ? null : await ask(context, instruction) };
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "context_limit") throw error;
    return await summariseChunks(context, { ...plan, forced: true });
  }
}

function fitsOneRequest({ agent, countTokens }: TurnContext, plan: CompactionPlan): boolean {
  const { maxTokens, systemTokens = 0, toolsTokens = 0 } = plan.budget;
  const beside = systemTokens + toolsTokens + countTokens(summaryInstruction(plan)) + summaryTokens(agent.model);
  return plan.beforeTokens + beside <= maxTokens;
}

async function ask(context: TurnContext, instruction: string): Promise<string | null> {
  const { agent, journal } = context;
  const planned = planSummary(context, instruction);
  const request = new InFlightRequest(context, planned);
  try {
    const { text, usage } = await askModel(agent, planned.request, {
      signal: journal.workSignal,
      onSent: request.noteSent,
      onPiece: () => request.noteToken(),
    });
    await keepReceipt(context, request, { usage, written: text });
    return text.trim() === "" ? null : text;
  } catch (error) {
    journal.signal.throwIfAborted();
    if (request.isUnderWay) await keepReceipt(context, request, { usage: null });
    throw error;
  }
}

/** The request for the prose: the conversation's prefix with its checkpoints, and the instruction as its only tail. */
function planSummary(context: TurnContext, instruction: string): PlannedRequest {
  const { agent, journal, countTokens, progress, turnId } = context;
  const { timeline } = journal;
  const withoutTail = { ...renderSettings(agent), includeSources: false, includeAnnounce: false };
  const view = timeline.render({ ...withoutTail, turnId, ...progress.previousEnd });
  const request = composeRequest(context, {
    view,
    ttl: "5m",
    maxOutputTokens: summaryTokens(agent.model),
    instruction,
    ...summarySettings(context),
  });
  const tokens = {
    tools: countTokens(offeredText(request)),
    system: countTokens(agent.instructions),
    stable: timeline.visibleTokens(),
    tail: countTokens(instruction),
  };
  return { purpose: "summary", request, tokens };
}
