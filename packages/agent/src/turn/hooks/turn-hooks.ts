/** Runs the hooks of turns and requests and applies the changes that they return. */
import type { RawDecision } from "../../protocol/decision.ts";
import { noticeBlock } from "../state/notice-block.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { type HookEffect, runHook } from "./run-hook.ts";

/** Why the turn must not begin; null if it may begin. The hook is not called for a turn that has already begun. */
export async function beforeTurn(context: TurnContext): Promise<string | null> {
  const { journal, turnId } = context;
  const { lastReceipt } = journal.timeline.state;
  if (lastReceipt?.turn_id === turnId || hasRun(context, "beforeTurn", 0)) return null;
  return await keep(context, "beforeTurn", 0, await runHook(context, "beforeTurn", {}));
}

/** Why the next request must not be made; null if it may be made. */
export async function beforeRequest(context: TurnContext): Promise<string | null> {
  const { agent, progress } = context;
  const decisions = progress.spent.iterations;
  if (hasRun(context, "beforeRequest", decisions)) return null;
  const effect = await runHook(context, "beforeRequest", { model: agent.model.id, decisions });
  return await keep(context, "beforeRequest", decisions, effect);
}

/** Why the answer must not be used, or null. The hook's notices are stored with the effects of the answer. */
export async function afterRequest(context: TurnContext, raw: RawDecision): Promise<string | null> {
  const { agent, journal, progress } = context;
  const calls = raw.calls.map(({ name, params }) => ({ tool: name, params }));
  const answered = { model: agent.model.id, decisions: progress.spent.iterations, text: raw.text, calls };
  const effect = await runHook(context, "afterRequest", { ...answered, usage: raw.usage });
  for (const [code, message] of noticesOf(effect)) journal.timeline.contribute([noticeBlock(context, code, message)]);
  return effect.refuse ?? null;
}

/** The notices for the model: the hook's own notice, and one about a failure of the hook. */
export function noticesOf({ notice, failed }: HookEffect): (readonly [code: string, message: string])[] {
  return [
    ...(notice === undefined ? [] : [["hook_notice", notice] as const]),
    ...(failed === undefined ? [] : [["hook_failed", failed] as const]),
  ];
}

/**
 * The stored notice records that the hook ran, so a process that continues the turn does not run it again. A refusal is
 * stored only with the end of the turn, so the hook runs again if this end was not stored.
 */
async function keep(context: TurnContext, hook: string, decisions: number, effect: HookEffect): Promise<string | null> {
  const { journal } = context;
  const isRefused = effect.refuse !== undefined;
  for (const [code, message] of noticesOf(effect)) {
    const notice = noticeBlock(context, code, message);
    journal.timeline.contribute([isRefused ? notice : { ...notice, meta: { hook, decisions } }]);
  }
  if (!isRefused) await journal.commitIfNeeded();
  return effect.refuse ?? null;
}

function hasRun({ journal, turnId }: TurnContext, hook: string, decisions: number): boolean {
  const entries = journal.timeline.state.turnEntries(turnId);
  return entries.some(
    ({ kind, block: { meta } }) => kind.role === "notice" && meta?.hook === hook && meta.decisions === decisions,
  );
}
