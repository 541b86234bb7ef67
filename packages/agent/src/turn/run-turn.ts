/**
 * Runs a turn: the model decides and tools run, until the model answers.
 *
 * Each step stores its events before the next step uses them. So the process may die at any instruction, and another
 * process continues after the last settled call. Inputs that arrive during the turn (messages, cancellations,
 * approvals, feedback) are processed between steps.
 */
import { CairnError, type TurnChoice } from "@cairn/timeline";
import { checkAgentFits } from "../definition/check-agent-fits.ts";
import type { AgentDefinition } from "../definition/define-agent.ts";
import { withoutSecrets } from "../model/redact.ts";
import { executeCalls } from "./calls/execute-calls.ts";
import type { CallsState } from "./calls/planned-call.ts";
import { canResume, resumeCalls } from "./calls/resume-calls.ts";
import { answerAtOnce, findBreach } from "./close/answer-at-once.ts";
import { finishTurn, type TurnEnd } from "./close/finish-turn.ts";
import { hasKilled, quarantineTurn } from "./close/quarantine-turn.ts";
import { dropUnfinished } from "./decide/continue-answer.ts";
import { type Decided, DecisionInterrupted, decide } from "./decide/decide.ts";
import { beforeRequest, beforeTurn } from "./hooks/turn-hooks.ts";
import { nextTurn, promoteInputs, takeTurn } from "./input/take-inputs.ts";
import { equip } from "./request/equip.ts";
import { landTitle, openGate } from "./request/gate.ts";
import { requestContext } from "./request/request-context.ts";
import { guardListener, type LiveCitations, type TurnListener } from "./state/listener.ts";
import { noticeBlock } from "./state/notice-block.ts";
import { isPassing } from "./state/passing-error.ts";
import type { TurnContext } from "./state/turn-context.ts";
import { TurnJournal } from "./state/turn-journal.ts";

/** Finds the agent that the turn's message asks for. After an error, the turn stays open. */
type ChooseAgent = (turnId: string, choice: TurnChoice) => Promise<AgentDefinition>;

/** Dependencies that every part of a turn uses. */
type PassedOn = Pick<TurnContext, "store" | "key" | "workspace" | "ids" | "countTokens" | "now" | "sleep" | "random">;

export interface RunTurnOptions extends PassedOn {
  readonly agent: AgentDefinition | ChooseAgent;
  /** The name under which the lease is held: a process or a worker. */
  readonly holder: string;
  /** A unique name of this process (default: `holder`). */
  readonly life?: string;
  readonly leaseMs?: number;
  readonly timeZone?: string;
  readonly listener?: TurnListener;
  /** How live text shows citations (default: as links; `tokens` if the listener makes the links itself). */
  readonly citations?: LiveCitations;
  readonly signal?: AbortSignal;
}

export type TurnOutcome =
  | { readonly status: "ended"; readonly turnId: string; readonly end: TurnEnd }
  /** A call waits for approval. Run the turn again when the approval has arrived. */
  | { readonly status: "waiting"; readonly turnId: string }
  /** No turn is open and no message waits for one. */
  | { readonly status: "idle" };

const LEASE_MS = 30_000;

/** Runs the conversation's open turn, or the next message as a new turn, to its end. */
export async function runTurn(options: RunTurnOptions): Promise<TurnOutcome> {
  for (;;) {
    const outcome = await runNext(options);
    if (outcome !== "withdrawn") return outcome;
  }
}

async function runNext(options: RunTurnOptions): Promise<TurnOutcome | "withdrawn"> {
  const listener = guardListener(options.listener);
  const deps = { clock: { now: options.now }, countTokens: options.countTokens };
  const journal = await TurnJournal.open(options.store, options.key, deps, {
    holder: options.holder,
    leaseMs: options.leaseMs ?? LEASE_MS,
    listener,
    signal: options.signal ?? new AbortController().signal,
  });
  try {
    await journal.refresh();
    const next = nextTurn(journal.timeline.state, options.ids);
    if (next === null) return { status: "idle" };
    const life = options.life ?? options.holder;
    if (hasKilled(journal.timeline.state, next.turnId, life))
      return { status: "ended", turnId: next.turnId, end: await quarantineTurn(journal, next, options.now()) };
    const agent = typeof options.agent === "function" ? await options.agent(next.turnId, next.choice) : options.agent;
    const attempt = { turn_id: next.turnId, ts: new Date(options.now()).toISOString(), by: life };
    const place = { agent, store: options.store, key: options.key, countTokens: options.countTokens };
    const taken = await takeTurn(journal, place, next, () => journal.timeline.record("turn.attempted", attempt));
    if (taken === null) {
      await journal.suspend(options.now());
      return "withdrawn";
    }
    const { equipped, problem } = await equip(agent, options.key, journal.signal);
    const context = await composeContext(options, equipped, taken.turnId, journal, listener);
    if (problem !== null) journal.timeline.contribute([noticeBlock(context, "tools_unavailable", problem)]);
    openGate(context, taken.untitled);
    return await runLoop(context);
  } catch (error) {
    // The process is alive, so this attempt does not count as a crash.
    if (journal.signal.aborted || isPassing(error)) await journal.suspend(options.now());
    throw error;
  } finally {
    await journal.close();
  }
}

async function runLoop(context: TurnContext): Promise<TurnOutcome> {
  const { journal, turnId } = context;
  const waiting = async (): Promise<TurnOutcome> => {
    await landTitle(context);
    await journal.commit();
    return { status: "waiting", turnId };
  };
  /** An approval may arrive while other calls of the decision still run. */
  const areSettled = async (calls: CallsState): Promise<boolean> => {
    let now = calls;
    while (now === "waiting") {
      await journal.refresh();
      if (!canResume(context)) return false;
      now = await resumeCalls(context);
    }
    return true;
  };
  const ended = (end: TurnEnd): TurnOutcome => ({ status: "ended", turnId, end });
  try {
    checkAgentFits(context.agent, context.countTokens);
    if (context.settingsProblem !== null) throw context.settingsProblem;
    const refusal = await beforeTurn(context);
    if (refusal !== null) return ended(await finishRefused(context, refusal));
    if (!(await areSettled(await resumeCalls(context)))) return await waiting();
    for (;;) {
      await journal.refresh();
      if (journal.isCancelled) return ended(await finishCancelled(context));
      if (context.progress.unfinished === null) await promoteInputs(context);
      const breach = await findBreach(context);
      if (breach !== null) return ended(await answerAtOnce(context, breach));
      const reason = context.progress.unfinished === null ? await beforeRequest(context) : null;
      if (reason !== null) return ended(await finishRefused(context, reason));

      const decided = await decide(context);
      switch (decided.kind) {
        case "unfinished":
          break;
        case "cut":
          return ended(await finishTurn(context, { ...endOfCut(context), text: decided.text, interrupted: true }));
        case "violation":
          if (decided.final) {
            const { message: text, error } = decided;
            return ended(await finishTurn(context, { exit: "error", text, ...(error === undefined ? {} : { error }) }));
          }
          break;
        case "answer":
          return ended(await finishTurn(context, endOfAnswer(context, decided)));
        case "question":
          return ended(await finishTurn(context, { exit: "clarify", text: decided.text }));
        case "calls":
          if (!(await areSettled(await executeCalls(context, decided)))) return await waiting();
      }
    }
  } catch (error) {
    journal.signal.throwIfAborted();
    if (error instanceof DecisionInterrupted)
      return ended(await finishTurn(context, { exit: "cancelled", text: error.partial, interrupted: true }));
    if (journal.isCancelled) return ended(await finishCancelled(context));
    if (!CairnError.is(error) || isPassing(error)) throw error;
    const said = await dropUnfinished(context);
    const message = withoutSecrets(error.message);
    const text = `${said === "" ? "" : `${said}…\n\n`}I could not go on: ${message}`;
    return ended(await finishTurn(context, { exit: "error", text, error: { code: error.code, message } }));
  }
}

/** A refusal is an answer. If the message asked for structured output, it is an error. */
function endOfAnswer({ output }: TurnContext, answer: Extract<Decided, { kind: "answer" }>): TurnEnd {
  const { text, followups, notes, declined } = answer;
  if (output !== null && declined === true)
    return { exit: "error", text, error: { code: "output_declined", message: text } };
  return {
    exit: "complete",
    text,
    followups,
    ...(answer.output === undefined ? {} : { output: answer.output }),
    ...(notes === undefined ? {} : { notes }),
  };
}

function endOfCut({ output }: TurnContext): Pick<TurnEnd, "exit" | "error"> {
  if (output === null) return { exit: "complete" };
  const message = "The output was cut off: it is longer than the model writes.";
  return { exit: "error", error: { code: "bad_output", message } };
}

/** The application refused the turn or a request of it. */
function finishRefused(context: TurnContext, reason: string): Promise<TurnEnd> {
  return finishTurn(context, { exit: "error", text: reason, error: { code: "hook_refused", message: reason } });
}

/** If an answer was being continued, its text so far is kept. */
async function finishCancelled(context: TurnContext): Promise<TurnEnd> {
  const text = await dropUnfinished(context);
  return await finishTurn(context, { exit: "cancelled", text, ...(text === "" ? {} : { interrupted: true }) });
}

async function composeContext(
  options: RunTurnOptions,
  agent: AgentDefinition,
  turnId: string,
  journal: TurnJournal,
  listener: TurnListener,
): Promise<TurnContext> {
  const { workspace, ids, sleep, random } = options;
  const context = await requestContext(options, agent, turnId, journal);
  // Citations stay tokens, because links would have to be escaped inside JSON.
  const citations = context.output === null ? (options.citations ?? "links") : "tokens";
  return { ...context, turnId, journal, workspace, ids, sleep, random, listener, citations };
}
