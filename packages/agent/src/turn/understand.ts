/**
 * What a decision means, and what is done about one that means nothing: the raw text is kept, a notice says what was
 * wrong, and the model is asked again. So many violations in a row end the turn; so do the same calls again and again,
 * unless one of them failed in a way that may not happen again.
 */
import type { Block, TimelineState } from "@cairn/timeline";
import { type Decision, fingerprintCalls, type RawDecision } from "../protocol/decision.ts";
import { nativeProtocol } from "../protocol/native-protocol.ts";
import { isTransientFailure } from "../tool/transient-failure.ts";
import { noticeBlock } from "./notice-block.ts";
import type { TurnContext } from "./turn-context.ts";

const MOST_VIOLATIONS = 3;
const LONGEST_RAW = 20_000;

export type Understood =
  | Exclude<Decision, { kind: "violation" }>
  /** `final` when the model will not be asked again; `message` is then for the user. */
  | { readonly kind: "violation"; readonly final: boolean; readonly message: string };

export async function understand(context: TurnContext, raw: RawDecision): Promise<Understood> {
  const { progress, registry } = context;
  const decision = repeated(context, raw) ?? nativeProtocol.read(raw, (name, params) => registry.check(name, params));
  if (decision.kind !== "violation") {
    progress.violations = 0;
    progress.lastDecision = fingerprintCalls(raw);
    return decision;
  }
  progress.violations++;
  const final = progress.violations > MOST_VIOLATIONS;
  const { journal, turnId } = context;
  journal.timeline.contribute([rawBlock(turnId, raw), noticeBlock(context, decision.code, decision.message)]);
  await journal.commit(journal.openStreams);
  return { kind: "violation", final, message: final ? NO_ANSWER : decision.message };
}

const NO_ANSWER = "I could not find a way to answer that. Please put it differently.";

/** The very same calls as last time have the very same results: the model is going round in circles. */
function repeated(context: TurnContext, raw: RawDecision): Decision | null {
  if (raw.calls.length === 0 || fingerprintCalls(raw) !== context.progress.lastDecision) return null;
  if (mayRepeat(context.journal.timeline.state, context.turnId)) return null;
  const message =
    "These are the same calls as in the last decision, and their results are above. Use them, or do something else.";
  return { kind: "violation", code: "protocol_violation.repeated_decision", message };
}

/** How often in a row a decision may fail and be made again. */
const MAX_REPEATS = 3;

/** Whether a call of the last decision failed for now, and the same did not happen too often before. */
function mayRepeat(state: TimelineState, turnId: string): boolean {
  const failed = new Map<number, boolean>();
  for (const { block, digest } of state.turnEntries(turnId)) {
    const iteration = block.meta?.iteration;
    if (typeof iteration !== "number") continue;
    const isTransient = digest?.error !== undefined && isTransientFailure(digest.error);
    failed.set(iteration, isTransient || (failed.get(iteration) ?? false));
  }
  const latest = [...failed].sort(([a], [b]) => b - a).map(([, hasFailed]) => hasFailed);
  const inARow = latest.indexOf(false) === -1 ? latest.length : latest.indexOf(false);
  return inARow > 0 && inARow <= MAX_REPEATS;
}

/** The beginning of what the model said: it is shown to it once more, and must not fill the window. */
function rawBlock(turnId: string, raw: RawDecision): Block {
  const whole = JSON.stringify({ text: raw.text, calls: raw.calls });
  const text = whole.length <= LONGEST_RAW ? whole : `${whole.slice(0, LONGEST_RAW).toWellFormed()}...[truncated]`;
  return { type: "react.decision.raw", author: "react", turn_id: turnId, mime: "application/json", text };
}
