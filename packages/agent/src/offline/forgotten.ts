/** What users asked the model to remember and to forget. Computed from their messages, so nothing else is stored. */

import { intentOf } from "./intent.ts";
import { FORGET } from "./intent-forms.ts";
import { folded } from "./phrases/language.ts";
import type { ReadTurn } from "./read-view.ts";
import { wordsOf } from "./words.ts";

interface Statement {
  /** The message with the statement, as a standing order has it. */
  readonly said: string;
  /** What is remembered. */
  readonly what: string;
}

interface Statements {
  readonly kept: readonly Statement[];
  readonly forgotten: readonly Statement[];
  /** What the last message asks to forget. */
  readonly last: readonly Statement[];
}

const ASKING = new Set(
  wordsOf(
    "forget delete remove clear change correct note notes memory memories vergiss losche entferne notiz oublie supprime efface memoire",
  ),
);
/** Words that begin with the same letters are taken for one word. */
const SAME_START = 5;
const EVERYTHING = /\b(?:everything|all|alles|alle|tout|toutes?)\b/i;

export function statementsOf(turns: readonly ReadTurn[]): Statements {
  const prompts = turns.flatMap((turn) => turn.prompts);
  const isForgetting = (prompt: string) => FORGET.some((form) => form.test(folded(prompt.trim())));
  if (!prompts.some(isForgetting)) return { kept: [], forgotten: [], last: [] };
  let kept: readonly Statement[] = [];
  const forgotten: Statement[] = [];
  let last: readonly Statement[] = [];
  for (const said of prompts) {
    const intent = intentOf(said);
    const meant = intent.kind === "forget" ? statementsMeant(said, kept) : [];
    if (intent.kind === "forget") last = meant;
    if (intent.kind === "remember") kept = [...kept, { said, what: intent.what }];
    if (intent.kind === "rule") kept = [...kept, { said, what: intent.rule }];
    kept = kept.filter((statement) => !meant.includes(statement));
    forgotten.push(...meant);
  }
  return { kept, forgotten, last };
}

/** "Forget that" means the last statement; other words name one. */
function statementsMeant(message: string, kept: readonly Statement[]): readonly Statement[] {
  const words = wordsOf(message).filter((word) => !ASKING.has(word));
  if (EVERYTHING.test(message)) return kept;
  if (words.length === 0) return kept.slice(-1);
  // "My allergy" means "I am allergic".
  const common = ({ what }: Statement) =>
    words.filter((word) => wordsOf(what).some((other) => other.slice(0, SAME_START) === word.slice(0, SAME_START)))
      .length;
  const best = kept.toSorted((a, b) => common(b) - common(a))[0];
  return best === undefined || common(best) === 0 ? [] : [best];
}

/** Whether a text repeats something that is forgotten. */
export function isForgotten(text: string, { kept, forgotten }: Statements): boolean {
  const repeats = ({ what }: Statement) => text.toLowerCase().includes(what.toLowerCase().replace(/[.!]+$/, ""));
  return forgotten.some(repeats) && !kept.some(repeats);
}
