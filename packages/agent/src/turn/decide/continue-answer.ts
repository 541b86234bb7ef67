/**
 * Continues answers that were cut off. The received part is stored on the timeline before the rest is requested, so
 * that a restart continues after it. New messages of the user wait until the answer is complete.
 */
import type { RawDecision } from "../../protocol/decision.ts";
import { type Unfinished, unfinishedBlock, unfinishedOf } from "../../protocol/unfinished.ts";
import type { TurnContext } from "../state/turn-context.ts";

/** Maximum number of requests for one answer. */
const MAX_PARTS = 5;
/** Maximum share of the model's window for one answer: the request for its rest contains the answer so far. */
const MAX_SHARE = 0.25;

/**
 * `continues`: the next request asks for the rest of the answer. `ends`: the answer stays incomplete. Null when the
 * decision is complete, or cannot be continued.
 */
export async function continueAnswer(context: TurnContext, raw: RawDecision): Promise<"continues" | "ends" | null> {
  const { journal, progress, turnId } = context;
  const before = progress.unfinished;
  const unfinished = unfinishedOf(raw, (before?.parts ?? 0) + 1);
  progress.continueWith(null);
  if (unfinished !== null && mayGoOn(context, before, unfinished)) {
    progress.continueWith(unfinished);
    journal.timeline.contribute([unfinishedBlock(turnId, unfinished)]);
    await journal.commit();
    return "continues";
  }
  await progress.endLive();
  return unfinished !== null && unfinished.calls.length === 0 ? "ends" : null;
}

/** Whether the answer may be continued. An answer that reached a limit of the user is not continued. */
function mayGoOn({ agent, countTokens, settings }: TurnContext, before: Unfinished | null, now: Unfinished): boolean {
  const size = sizeOf(now);
  if ((settings.maxOutputTokens ?? agent.request?.maxOutputTokens) !== undefined) return false;
  if (now.parts >= MAX_PARTS || (before !== null && size <= sizeOf(before))) return false;
  return countTokens(allOf(now)) <= agent.model.contextTokens * MAX_SHARE;
}

function sizeOf(unfinished: Unfinished): number {
  return allOf(unfinished).length;
}

function allOf({ text, calls }: Unfinished): string {
  return [text, ...calls.map(({ name, params }) => `${name}${params}`)].join("");
}

/** Ends the continued answer without its rest. Returns the text so far, or an empty text. */
export async function dropUnfinished({ progress }: Pick<TurnContext, "progress">): Promise<string> {
  const text = progress.unfinished?.text.trim() ?? "";
  progress.continueWith(null);
  await progress.endLive();
  return text;
}

/** The answer without its rest. `why` completes the sentence "The answer was cut off: ". */
export function cutOffText(text: string, why: string): string {
  return `${text.trim()}…\n\n(The answer was cut off: ${why}.)`;
}
