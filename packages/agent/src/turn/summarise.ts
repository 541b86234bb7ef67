/**
 * The prose of a compaction, asked of the conversation's own model behind its own prefix, so that it is read from the
 * cache. A range larger than the window is asked for in pieces. No answer is no reason to stop: the digest is enough.
 */
import { type CompactionPlan, type CompactionProse, prefixInstruction, summaryInstruction } from "@cairn/timeline";
import { gatherDecision } from "../protocol/decision.ts";
import type { TurnContext } from "./turn-context.ts";

export async function summarise(context: TurnContext, plan: CompactionPlan): Promise<CompactionProse> {
  const summary = await ask(context, summaryInstruction(plan));
  const instruction = prefixInstruction(plan);
  return { summary, prefix: instruction === null || summary === null ? null : await ask(context, instruction) };
}

async function ask(context: TurnContext, instruction: string): Promise<string | null> {
  const { agent, journal, key, specs, store } = context;
  const request = {
    system: agent.instructions,
    tools: specs,
    view: journal.timeline.render({ turnId: context.turnId }),
    strategy: "economic" as const,
    ttl: "5m" as const,
    cacheKey: key.conversation,
    maxOutputTokens: 1_000,
    instruction,
    readBlob: (ref: `sha256:${string}`) => readBase64(store.readBlob(key, ref)),
  };
  try {
    const { text } = await gatherDecision(agent.model.stream(request, { signal: journal.workSignal }), () => undefined);
    return text.trim() === "" ? null : text;
  } catch (error) {
    journal.signal.throwIfAborted();
    context.listener({
      type: "progress",
      callId: "compaction",
      text: `No summary: ${error instanceof Error ? error.message : "the model failed"}`,
    });
    return null;
  }
}

export async function readBase64(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString("base64");
}
