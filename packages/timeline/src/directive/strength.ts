/**
 * How sure it is that a sentence is an instruction for good.
 *
 * An order is addressed to the agent and says that it lasts. A reminder asks to keep something in mind, which may be a
 * matter of the moment. A possible one sounds like an instruction and may be for the moment or state a fact ("It is
 * always late"): it is kept as long as there is room. So is a clause, a rule for somebody else ("The supplier must
 * never…"), unless it stands in a long message.
 */
import { markers } from "./markers.ts";

export type Strength = "order" | "reminder" | "possible" | "clause" | "none";

export function strengthOf(sentence: string): Strength {
  const text = sentence.replace(CLAUSE_NUMBER, "");
  // "Should it always be so?" asks. "Can you always…?" asks for something. "I prefer tea, so what is there?" says
  // something first.
  if (/[?？]\P{L}*$/u.test(text) && !markers.request.test(text)) return strengthOf(beforeQuestion(text));
  if (text === "") return "none";
  const frequency = markers.frequency.exec(text);
  const hasDuty = markers.duty.test(text);
  const isClause = isAboutOthers(text, hasDuty);
  const isOrdered =
    markers.standing.test(text) ||
    markers.everyProduct.test(text) ||
    (markers.product.test(text) && (frequency !== null || hasDuty)) ||
    (frequency !== null && !isClause && isOrder(text, frequency));
  const isStanding = isOrdered || markers.reminder.test(text);
  if (isStanding && !markers.moment.test(text)) return isOrdered ? "order" : "reminder";
  const isPossible = isStanding || frequency !== null || hasDuty || markers.weak.test(text);
  return !isPossible ? "none" : isClause ? "clause" : "possible";
}

/** List marks and numbers of clauses, which stand before the subject. */
const CLAUSE_NUMBER =
  /^[^\p{L}]*(?:(?:clause|article|section|klausel|artikel|absatz|ziffer|clausola|cláusula|articolo|artículo|artigo|пункт|статья)\s+[\d.]+[^\p{L}]*)?/iu;

/** What a question says before it asks. */
function beforeQuestion(text: string): string {
  return text.slice(0, Math.max(0, text.search(/[,;:—–，、；：][^,;:—–，、；：]*$/u)));
}

/** Whether a sentence binds neither the speaker nor the agent. */
function isAboutOthers(text: string, hasDuty: boolean): boolean {
  return !markers.person.test(text) && (hasDuty || markers.otherSubject.test(text));
}

/** Whether "always" or "never" belongs to an order: no subject stands before it in its clause, and a verb may follow. */
function isOrder(text: string, { 0: word, index }: RegExpExecArray): boolean {
  const clause = text
    .slice(0, index)
    .split(/[,;:—–]|(?<!\p{L})(?:and|but|so|und|aber|et|mais|y|pero|ma|mas|maar|oraz|ale|и|но)(?!\p{L})/iu);
  const isEnglish = /^(?:always|never)$/i.test(word);
  if (isEnglish && markers.noOrder.test(text.slice(index + word.length))) return false;
  return !markers.statement.test(clause.at(-1) ?? "");
}
