/** Detects used-up budgets before every request, and ends the turn if a budget is used up. */
import { ModelError } from "../../model/model-error.ts";
import { readOutput } from "../../output/read-output.ts";
import { cutOffText, dropUnfinished } from "../decide/continue-answer.ts";
import { lastAnswer } from "../decide/decide.ts";
import { type Breach, breachOf, userBreachOf } from "../state/budget.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { finishTurn, type TurnEnd } from "./finish-turn.ts";

/** Checks the user's spending after the limits of the turn, because only the spending is read from the store. */
export async function findBreach(context: TurnContext): Promise<Breach | null> {
  const { budgets, key, now, progress, startedAt, store } = context;
  const { user, ...turn } = budgets;
  // The elapsed time is measured now, because tools have run since the last receipt.
  const { iterations } = progress.spent;
  // A request for the rest of an answer is not counted, because its decision is already counted.
  const decided = progress.unfinished === null ? iterations : iterations - 1;
  const breach = breachOf({ ...progress.spent, iterations: decided, elapsedMs: now() - startedAt }, turn);
  if (breach !== null || user === undefined) return breach;
  return userBreachOf(await store.spending(key, { since: now() - user.windowMs }), user);
}

/** Asks for one last answer without tools; makes no request if the turn has found nothing yet. */
export async function answerAtOnce(context: TurnContext, { exit, what }: Breach): Promise<TurnEnd> {
  const isText = context.progress.unfinished?.calls.length === 0;
  const isCall = context.progress.unfinished !== null && !isText;
  const said = await dropUnfinished(context);
  if (isCall) await context.journal.discardStreams();
  // An unfinished answer becomes the final answer, because it is worth more than a new one.
  if (isText)
    return await finishTurn(context, {
      exit,
      interrupted: true,
      text: cutOffText(said, `the budget of ${what} is used up`),
    });
  if (context.progress.spent.iterations === 0)
    return await finishTurn(context, {
      exit,
      text: `I cannot begin: the budget of ${what} is used up. Please try again later.`,
    });
  const asked = context.output === null ? "" : " Write the output that the message asks for, as JSON and nothing else.";
  const lastWord = `The budget of ${what} is used up. Answer the user now from what you know, or ask what you need.${asked}`;
  const stopped = `I had to stop: the budget of ${what} is used up.`;
  try {
    const answer = await lastAnswer(context, lastWord);
    const read = context.output === null ? null : readOutput(answer, context.output);
    if (read !== null && "value" in read)
      return await finishTurn(context, { exit, text: JSON.stringify(read.value), output: read.value });
    return await finishTurn(context, { exit, text: answer.trim() === "" ? stopped : answer.trim() });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return await finishTurn(context, { exit, text: stopped });
  }
}
