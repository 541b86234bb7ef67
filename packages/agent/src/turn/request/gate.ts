/**
 * The gate: runs once, when a conversation begins. One short request asks for a title while the turn continues. Until
 * the answer arrives, and if the request fails, the beginning of the first message is the title.
 *
 * The turn itself writes the title to the timeline, between its steps, because two writers would split each other's
 * batches.
 */
import { Timeline } from "@cairn/timeline";
import { TITLE_INSTRUCTION, type TitleAnswer, titleOfAnswer, titleOfPrompt } from "../../gate/title.ts";
import type { Model } from "../../model/model.ts";
import { withoutSecrets } from "../../model/redact.ts";
import { askModel } from "../../protocol/ask-model.ts";
import { asideOf } from "../state/spending.ts";
import type { TurnContext } from "../state/turn-context.ts";

/** Timeout of the request for a title. */
const MAX_MS = 5_000;
const MAX_PROMPT_LENGTH = 4_000;
const MAX_TOKENS = 256;

/** `untitled`: the message that opens a conversation; null when it already has a title. */
export function openGate(context: TurnContext, untitled: string | null): void {
  const { gate } = context.agent;
  if (gate !== undefined && untitled !== null) context.progress.awaitTitle(askForTitle(context, gate.model, untitled));
}

/** Asks the model for a title. Resolves to null instead of rejecting when the request fails. */
async function askForTitle(context: TurnContext, model: Model, message: string): Promise<TitleAnswer | null> {
  const { agent, countTokens, journal, key, now, turnId } = context;
  const timeline = Timeline.create({ clock: { now }, countTokens });
  timeline.contribute([
    { type: "user.prompt", turn_id: turnId, text: message.slice(0, MAX_PROMPT_LENGTH).toWellFormed() },
  ]);
  const request = {
    system: `You name conversations with ${agent.name}.`,
    tools: [],
    view: timeline.render({ turnId }),
    strategy: "economic" as const,
    ttl: "5m" as const,
    cacheKey: key.conversation,
    maxOutputTokens: Math.min(MAX_TOKENS, model.maxOutputTokens),
    instruction: TITLE_INSTRUCTION,
    readBlob: () => Promise.reject(new Error("A title request contains no files, so no bytes can be asked for.")),
  };
  const signal = AbortSignal.any([journal.workSignal, AbortSignal.timeout(MAX_MS)]);
  try {
    const { text, usage } = await askModel({ ...agent, model }, request, { signal });
    return { title: titleOfAnswer(text), replaces: titleOfPrompt(message), usage };
  } catch (error) {
    if (!journal.workSignal.aborted)
      context.listener({ type: "progress", callId: "title", text: withoutSecrets(`No title: ${String(error)}`) });
    return null;
  }
}

/** Writes the title to the timeline, in the next batch. */
export async function landTitle(context: TurnContext): Promise<void> {
  const { agent, journal, progress, turnId } = context;
  const answer = await progress.takeTitle();
  if (answer === null || agent.gate === undefined) return;
  const aside = asideOf("title", agent.gate.model, answer.usage);
  progress.spendAside(answer.usage, aside.cost);
  if (answer.title !== null) journal.timeline.giveTitle(`${turnId}.gate`, answer.title, answer.replaces);
  journal.timeline.setMeta({ aside });
}
