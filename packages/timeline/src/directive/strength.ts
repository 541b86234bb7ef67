/**
 * How sure it is that a sentence is an instruction for good.
 *
 * A standing one is addressed to the agent and says that it lasts. A possible one sounds like an instruction and may be
 * for the moment, or be a rule for somebody else ("The supplier must never…"): it is kept as long as there is room.
 */
import { markers } from "./markers.ts";

export type Strength = "standing" | "possible" | "none";

export function strengthOf(sentence: string): Strength {
  const text = sentence.replace(CLAUSE_NUMBER, "");
  if (isQuestionToItself(text)) return "none";
  if (markers.standing.test(text)) return "standing";
  const frequency = markers.frequency.test(text);
  const binding = frequency || markers.duty.test(text) || markers.weak.test(text);
  if (!binding) return "none";
  if (markers.product.test(text) && (frequency || markers.duty.test(text))) return "standing";
  if (!frequency || isAboutOthers(text) || markers.fact.test(text)) return "possible";
  return "standing";
}

/** Whether a sentence binds neither the speaker nor the agent. */
function isAboutOthers(sentence: string): boolean {
  const text = sentence.replace(CLAUSE_NUMBER, "");
  return !markers.person.test(text) && (markers.duty.test(text) || markers.otherSubject.test(text));
}

/** List marks and numbers of clauses, which stand before the subject. */
const CLAUSE_NUMBER =
  /^[^\p{L}]*(?:(?:clause|article|section|klausel|artikel|absatz|ziffer|clausola|cláusula|articolo|artículo|artigo|пункт|статья)\s+[\d.]+[^\p{L}]*)?/iu;

/** "Should it always be so?" asks; "Can you always…?" asks for something. */
function isQuestionToItself(text: string): boolean {
  return (
    /[?？]\W*$/u.test(text) &&
    !/(?<!\p{L})(?:can|could|would|will) you(?!\p{L})|please/iu.test(text) &&
    !markers.standing.test(text)
  );
}
