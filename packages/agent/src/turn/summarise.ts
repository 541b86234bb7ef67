/**
 * The prose of a compaction, asked of the conversation's own model behind its own prefix, so that it is read from the
 * cache. A range larger than the window is asked for in pieces. No answer is no reason to stop: the digest is enough.
 */
import { type CompactionPlan, type CompactionProse, prefixInstruction, summaryInstruction } from "@cairn/timeline";
import { gatherDecision } from "../protocol/decision.ts";
import { keepReceipt } from "./keep-receipt.ts";
import { OpenRequest } from "./open-request.ts";
import type { TurnContext } from "./turn-context.ts";

const LONGEST_SUMMARY = 1_000;

export async function summarise(context: TurnContext, plan: CompactionPlan): Promise<CompactionProse> {
  const summary = await ask(context, summaryInstruction(plan));
  const instruction = prefixInstruction(plan);
  return { summary, prefix: instruction === null || summary === null ? null : await ask(context, instruction) };
}

async function ask(context: TurnContext, instruction: string): Promise<string | null> {
  const { agent, journal, specs, countTokens } = context;
  const view = journal.timeline.render({ turnId: context.turnId });
  const open = new OpenRequest(context, { view, ttl: "5m", maxOutputTokens: LONGEST_SUMMARY, instruction });
  const tokens = {
    tools: countTokens(JSON.stringify(specs)),
    system: countTokens(agent.instructions),
    stable: journal.timeline.visibleTokens(),
    tail: countTokens(instruction),
  };
  try {
    const { text, usage } = await gatherDecision(open.parts(), () => undefined);
    await keepReceipt(context, { purpose: "summary", ...open.facts(), tokens, usage });
    return text.trim() === "" ? null : text;
  } catch (error) {
    journal.signal.throwIfAborted();
    if (open.isUnderWay) await keepReceipt(context, { purpose: "summary", ...open.facts(), tokens, usage: null });
    context.listener({
      type: "progress",
      callId: "compaction",
      text: `No summary: ${error instanceof Error ? error.message : "the model failed"}`,
    });
    return null;
  }
}
