/** Used-up budgets: how they are detected before every request, and how the turn then ends. */
import { ModelError } from "../../model/model-error.ts";
import { readOutput } from "../../output/read-output.ts";
import { cutOffText, dropUnfinished } from "../decide/continue-answer.ts";
import { lastAnswer } from "../decide/decide.ts";
import { type Breach, breachOf, userBreachOf } from "../state/budget.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { finishTurn, type TurnEnd } from "./finish-turn.ts";

/** Checks the limits of the turn first, which costs nothing; the user's spending has to be read from the store. */
export async function findBreach(context: TurnContext): Promise<Breach | null> {
  const { budgets, key, now, progress, startedAt, store } = context;
  const { user, ...turn } = budgets;
  // The elapsed time is measured now, because tools have run since the last receipt.
  const { iterations } = progress.spent;
  // The rest of an answer belongs to a decision that was already counted.
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
  // An unfinished answer becomes the answer, because it is worth more than a new one.
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
