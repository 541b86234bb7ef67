/** How a turn ends: the text for the user, and the reason. */
import { type Block, extractCitations, type Json, maintainClosedTurn } from "@cairn/timeline";
import { cacheNeeds, prunePolicy } from "../../definition/agent-memory.ts";
import { textsIn } from "../../output/read-output.ts";
import { citedFields, knownField, tellApart, unknownNotice } from "../../react/cited-sources.ts";
import { sourcesSeen } from "../../tool/sources-seen.ts";
import { planProgress } from "../calls/acknowledge-plan.ts";
import { runHook } from "../hooks/run-hook.ts";
import { noticesOf } from "../hooks/turn-hooks.ts";
import { landTitle } from "../request/gate.ts";
import { reasoningOfAnswer } from "../state/kept-reasoning.ts";
import { noticeBlock } from "../state/notice-block.ts";
import { thinkingBlocks } from "../state/thinking-block.ts";
import type { TurnContext } from "../state/turn-context.ts";

export type TurnExit = "complete" | "clarify" | "max_iterations" | "budget" | "cancelled" | "error" | "quarantined";

export interface TurnEnd {
  readonly exit: TurnExit;
  readonly text: string;
  readonly followups?: readonly string[];
  /** The value of structured output. The field `text` is then its JSON. */
  readonly output?: Json;
  /** Text that the model wrote in addition to structured output. */
  readonly notes?: string;
  /** Whether the text was cut off. */
  readonly interrupted?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

export function completionBlock(turn_id: string, text: string): Block {
  const path = `ar:${turn_id}.assistant.completion`;
  return { turn_id, type: "assistant.completion", author: "assistant", path, mime: "text/markdown", text };
}

/** Writes the end of a turn in one batch, after its hook. */
export async function finishTurn(context: TurnContext, asked: TurnEnd): Promise<TurnEnd> {
  const { journal, turnId } = context;
  await landTitle(context);
  const { exit, text, output } = asked;
  const effect = await runHook(context, "afterTurn", { exit, text, ...(output === undefined ? {} : { output }) });
  const end = refusedEnd(asked, effect.refuse);
  for (const [code, message] of noticesOf(effect)) journal.timeline.contribute([noticeBlock(context, code, message)]);
  const reasoned = context.progress.takeReasoned();
  const blocks: Block[] = thinkingBlocks(context, null, false);
  const common = { turn_id: turnId };
  if (end.notes !== undefined && end.notes !== "")
    blocks.push({ ...common, type: "react.notes", author: "react", mime: "text/markdown", text: end.notes });
  const said = end.output === undefined ? end.text : (end.notes ?? "");
  if (end.exit !== "error" && end.exit !== "cancelled") blocks.push(...planProgress(context, said, null));
  if (end.text !== "") {
    const seen = sourcesSeen(journal.timeline.state.pool, context.progress.sourcesKnown);
    const cited = tellApart(citedBy(end), seen);
    const notice = unknownNotice(cited, "The answer");
    if (notice !== null) blocks.push(noticeBlock(context, notice.code, notice.message));
    const meta = {
      ...citedFields(cited),
      ...knownField(cited, seen),
      ...(end.interrupted ? { interrupted: true } : {}),
      ...(end.exit === "clarify" ? { clarification: true } : {}),
      ...(end.output === undefined ? {} : { output: true }),
      ...reasoningOfAnswer(end.exit === "error" || end.exit === "cancelled" ? null : reasoned, end.text),
    };
    const mime = end.output === undefined ? {} : { mime: "application/json" };
    blocks.push({ ...completionBlock(turnId, end.text), ...mime, meta });
  }
  if (end.followups !== undefined && end.followups.length > 0)
    blocks.push({
      ...common,
      type: "stage.suggested_followups",
      mime: "application/json",
      text: JSON.stringify(end.followups),
    });
  const state = { exit: end.exit, ...(end.error === undefined ? {} : { error: end.error }) };
  blocks.push({ ...common, type: "react.exit", mime: "application/json", text: JSON.stringify(state) });
  journal.timeline.contribute(blocks);
  journal.timeline.closeTurn(end.exit);
  maintainClosedTurn(journal.timeline, turnId, {
    now: Math.floor(context.now() / 1000),
    cache: cacheNeeds(context.agent),
    policy: prunePolicy(context.agent),
  });
  await journal.commit(journal.openStreams);
  return end;
}

/** A hook cannot change the end of a turn that was cancelled or failed. */
function refusedEnd(end: TurnEnd, refuse: string | undefined): TurnEnd {
  if (refuse === undefined || end.exit === "cancelled" || end.exit === "error") return end;
  return { exit: "error", text: refuse, error: { code: "hook_refused", message: refuse } };
}

/** The source ids in a text, or in the texts of a value. */
function citedBy({ text, output }: TurnEnd): number[] {
  if (output === undefined) return extractCitations(text, "markdown");
  const sids = textsIn(output).flatMap((each) => extractCitations(each, "markdown"));
  return [...new Set(sids)].sort((a, b) => a - b);
}
