/** What users asked the model to remember and to forget. Computed from their messages, so nothing else is stored. */
import { intentOf } from "./intent.ts";
import { FORGET } from "./intent-forms.ts";
import { noteText } from "./passages.ts";
import { folded } from "./phrases/language.ts";
import type { ReadTimeline } from "./read-view.ts";
import { wordsOf } from "./words.ts";

interface Statement {
  /** The message with the statement, as a standing order has it. */
  readonly said: string;
  /** What is remembered: the whole message, or one half of "my name is Lena and I am vegetarian". */
  readonly what: string;
}

/** A standing order of which something is forgotten. */
interface Closed {
  readonly said: string;
  /** The other half of the order, which still holds; empty if nothing is left. */
  readonly rest: string;
}

interface Statements {
  readonly kept: readonly Statement[];
  readonly forgotten: readonly Statement[];
  /** What the last message asks to forget. */
  readonly last: readonly Statement[];
  /** The standing orders to which `last` belongs. */
  readonly closed: readonly Closed[];
}

/** The boundary between two halves of a statement. */
const HALVES = /[,;]?\s+(?:and|und|et)\s+(?=(?:i|my|ich|meine?|je|j['’]|mon|ma)(?!\p{L}))|(?<=[.!])\s+/iu;

const ASKING = new Set(
  wordsOf(
    "forget delete remove clear change correct note notes memory memories vergiss losche entferne notiz oublie supprime efface memoire",
  ),
);
/** Words that begin with the same letters are taken for one word. */
const SAME_START = 5;
const EVERYTHING = /\b(?:everything|all|alles|alle|tout|toutes?)\b/i;

export function statementsOf({ notes, turns }: ReadTimeline): Statements {
  const prompts = turns.flatMap((turn) => turn.prompts);
  const isForgetting = (prompt: string) => FORGET.some((form) => form.test(folded(prompt.trim())));
  if (!prompts.some(isForgetting)) return { kept: [], forgotten: [], last: [], closed: [] };
  let kept: readonly Statement[] = [];
  const forgotten: Statement[] = [];
  let last: readonly Statement[] = [];
  let closed: readonly Closed[] = [];
  // Standing orders of other conversations are in notes, and in no message of this conversation.
  const carried = notes.map(noteText).filter((note) => !prompts.some((prompt) => prompt.includes(note)));
  for (const said of [...carried, ...prompts]) {
    const intent = intentOf(said);
    const meant = intent.kind === "forget" ? statementsMeant(said, kept) : [];
    if (intent.kind === "forget") {
      const left = kept.filter((statement) => !meant.includes(statement));
      const rests = new Map(meant.map((statement) => [statement.said, [] as string[]]));
      for (const { said: order, what } of left) rests.get(order)?.push(what);
      last = meant;
      closed = [...rests].map(([order, rest]) => ({ said: order, rest: rest.join(". ") }));
      // The rest of an order is an order of its own from now on.
      kept = left.map(({ said: order, what }) => ({ said: rests.get(order)?.join(". ") ?? order, what }));
    }
    const what = intent.kind === "remember" ? intent.what.split(HALVES) : intent.kind === "rule" ? [intent.rule] : [];
    kept = [...kept, ...what.map((half) => ({ said, what: half }))];
    forgotten.push(...meant);
  }
  return { kept, forgotten, last, closed };
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

/** The text without what is forgotten; empty if nothing else is in it. */
export function withoutForgotten(text: string, { kept, forgotten }: Statements): string {
  if (forgotten.length === 0) return text;
  const halves = text.split(HALVES);
  const left = halves.filter((half) => {
    const repeats = ({ what }: Statement) => half.toLowerCase().includes(what.toLowerCase().replace(/[.!]+$/, ""));
    return !forgotten.some(repeats) || kept.some(repeats);
  });
  return left.length === halves.length ? text : left.join("\n\n");
}
