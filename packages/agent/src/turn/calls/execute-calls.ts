/**
 * Runs the calls of a decision, from their blocks on the timeline to their outcomes.
 *
 * One batch stores the block of a call and its start; another batch stores its results and its end. Calls of one
 * decision run at the same time and settle as they finish. While a call waits for approval, no turn runs. A call that a
 * crash interrupted is settled as interrupted, or runs again if its tool is idempotent.
 */
import type { Decided } from "../decide/decide.ts";
import { beforeTool, type CheckedCall } from "../hooks/tool-hooks.ts";
import { reasoningOfCall } from "../state/kept-reasoning.ts";
import { thinkingBlocks } from "../state/thinking-block.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { planProgress } from "./acknowledge-plan.ts";
import { callBlock, codeBlocks, notesBlock } from "./call-blocks.ts";
import { askFor, type Judged, judge, visibilityOf } from "./judge-call.ts";
import { type CallsState, describeCall, type PlannedCall, timestamp } from "./planned-call.ts";
import { runAndSettle } from "./run-and-settle.ts";
import { settle } from "./settle-call.ts";
import { toolContext } from "./tool-context.ts";

/** Writes a decision's calls to the timeline and runs them. */
export async function executeCalls(
  context: TurnContext,
  { notes, calls, streams, callIds }: Extract<Decided, { kind: "calls" }>,
): Promise<CallsState> {
  const { journal, registry, progress } = context;
  const iteration = progress.spent.iterations;
  const reasoned = progress.takeReasoned();
  const decided = calls.map(({ number, toolId, params }, at) => ({
    number,
    callId: callIds.get(number) ?? context.ids.call(),
    toolId,
    params,
    iteration,
    sourcesKnown: progress.sourcesKnown,
    reasoning: reasoningOfCall(reasoned, number, calls[at - 1]?.number ?? null),
  }));
  const checked = await Promise.all(
    decided.map(async ({ number, ...asked }) => {
      const hooked = await beforeTool(context, asked, toolContext(context, asked));
      return { number, asked, ...hooked };
    }),
  );
  const judged = new Map<PlannedCall, Judged & Pick<CheckedCall, "notices">>();
  for (const { number, asked, params, bound, isChanged, refused, notices } of checked) {
    const stream = registry.find(asked.toolId)?.streams?.kind === "write" ? streams.get(number) : undefined;
    const hooked = { ...asked, params };
    const call = {
      ...hooked,
      stream: isChanged ? undefined : stream,
      visibility: await visibilityOf(context, hooked),
    };
    judged.set(call, {
      ...(refused === null ? await judge(context, call, bound) : { policy: refused, bound: call }),
      notices,
    });
  }
  const [first] = judged.keys();
  const isInternal = [...judged.keys()].some(({ visibility }) => visibility === "internal");
  journal.timeline.contribute(thinkingBlocks(context, first?.callId ?? null, isInternal));
  if (first !== undefined && notes !== "")
    journal.timeline.contribute([notesBlock(context, first, notes), ...planProgress(context, notes, first.callId)]);
  const ready: PlannedCall[] = [];
  let waiting = false;
  for (const [call, { policy, bound, notices }] of judged) {
    journal.timeline.contribute([...codeBlocks(context, call), callBlock(context, call), ...notices]);
    if (policy === "ask") askFor(context, bound);
    else journal.timeline.record("call.started", { ...describeCall(context, bound), ts: timestamp(context) });
    if (policy === "ask") waiting = true;
    else if (policy === "allow") ready.push(bound);
    else settle(context, call, policy.settle, "error");
  }
  const writing = new Set(ready.flatMap(({ stream }) => stream ?? []));
  await journal.commit(journal.openStreams.filter((stream) => !writing.has(stream)));
  const states = await Promise.all(ready.map((call) => runAndSettle(context, call)));
  return waiting || states.includes("waiting") ? "waiting" : "settled";
}
