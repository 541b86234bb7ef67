/**
 * How certain it is that a sentence is a permanent instruction.
 *
 * An order is addressed to the agent and lasts. A reminder asks to keep something in mind, which may be a matter of the
 * moment. A possible instruction sounds like one, but may be for the moment or state a fact ("It is always late"). A
 * clause is a rule for somebody else ("The supplier must never…"). Possible instructions and clauses are kept as long
 * as there is room, except clauses of a long message.
 */
import { givesOrder } from "./clause.ts";
import { lasting } from "./lasting.ts";
import { markers } from "./markers.ts";
import { givesUnspacedOrder, LASTING_UNSPACED } from "./unspaced.ts";

export type Strength = "order" | "reminder" | "possible" | "clause" | "none";

export function strengthOf(sentence: string): Strength {
  const written = sentence.replace(CLAUSE_NUMBER, "");
  const lower = written.toLowerCase();
  // Both texts must have the same length, but a few letters are longer in lower case.
  return strengthIn(lower, lower.length === written.length ? written : lower);
}

/** `text` is in lower case, and as long as `written`. */
function strengthIn(text: string, written: string): Strength {
  // "Should it always be so?" only asks; "Can you always…?" requests; "I prefer tea, so what is there?" also states.
  if (/[?？]\P{L}*$/u.test(text) && !markers.request.test(text)) {
    const before = beforeQuestion(text);
    return before === "" ? "none" : strengthIn(before, written.slice(0, before.length));
  }
  if (text === "") return "none";
  const isOrdered =
    (markers.standing.test(text) && !markers.aside.test(text)) || givesOrder(text, written) || givesUnspacedOrder(text);
  const isReminder = markers.reminder.test(text) && !markers.errand.test(text);
  if ((isOrdered || isReminder) && !markers.moment.test(text)) return isOrdered ? "order" : "reminder";
  const hasDuty = markers.duty.test(text);
  const isPossible = isOrdered || hasDuty || sounds.some((pattern) => pattern.test(text));
  return !isPossible ? "none" : isAboutOthers(text, hasDuty) ? "clause" : "possible";
}

/** Words that may belong to an instruction. */
const sounds = [
  ...[markers.reminder, markers.standing, markers.weak],
  ...[lasting.from, lasting.often, lasting.each, LASTING_UNSPACED],
];

/** List marks and numbers of clauses, which come before the subject. */
const CLAUSE_NUMBER =
  /^[^\p{L}]*(?:(?:clause|article|section|klausel|artikel|absatz|ziffer|clausola|cláusula|articolo|artículo|artigo|пункт|статья)\s+[\d.]+[^\p{L}]*)?/iu;

/** Returns the statement before a question in the same sentence. */
function beforeQuestion(text: string): string {
  return text.slice(0, Math.max(0, text.search(/[,;:—–，、；：][^,;:—–，、；：]*$/u)));
}

/** Whether a sentence binds neither the speaker nor the agent. */
function isAboutOthers(text: string, hasDuty: boolean): boolean {
  return !markers.person.test(text) && (hasDuty || markers.otherSubject.test(text));
}
