/**
 * Whether a sentence gives the agent a permanent order, in languages that separate words.
 *
 * An order is a clause that tells the agent to do something, by an imperative ("Use…"), by asking ("Could you…", "I want
 * you to…") or by "you must…", and that lasts: it says so ("from now on", "always"), it says when ("whenever I paste
 * code", "when I ask about history"), or it is about the way the agent answers. A clause with somebody else as its
 * subject, or the speaker, is a statement: "From now on the shop opens at nine".
 */
import { command } from "./commands.ts";
import { lasting } from "./lasting.ts";
import { isMannerOrder, isRuleForAnswers } from "./manner.ts";
import { markers } from "./markers.ts";

/** Maximum number of clauses of a sentence that are checked. */
const MAX_CLAUSES = 12;
/** How clauses are joined, and by which word. */
const JOINT =
  /([,;:—–]\s*)(?:(and|but|so|then|or|und|aber|oder|sondern|et|mais|ou|y|pero|o|e|ma|mas|en|maar|of|i|ale|oraz|и|но|а)(?=\s)\s*)?|\s(and|but|so|then|und|aber|et|mais|y|pero|e|ma|mas|en|maar|i|ale|oraz|и|но)\s+/gu;
const REPORTED =
  /, [^,]* (?:says?|said|used to say|told (?:me|us)|sagt|sagte|dit|disait|dice|decía|diceva|disse|dizia|zegt|zei|mówi|mówił[a]?|говорит|говорила?)[.!]*$/u;

/** `sentence` is in lower case, and as long as `written`. */
export function givesOrder(sentence: string, written: string): boolean {
  if (REPORTED.test(sentence)) return false;
  let isSubjectShared = false;
  let nth = 0;
  for (const { text, joinedBy, word } of clauses(sentence)) {
    const clause = readClause(text, written);
    // "I eat no meat, so never suggest any": the second clause tells the agent what to do, so the first is no obstacle.
    const isConclusion = word === "so" && isImperative(clause.head);
    // "I always forget and never learn": the subject is that of the clause before.
    const isShared = joinedBy === "word" && isSubjectShared && !clause.isAsked && !isConclusion;
    const isRelief = RELIEVED.test(text) && !command.comfort.test(text);
    if (!isShared && (isOrder(clause) || PERMITTED.test(text) || isRelief)) return true;
    if (joinedBy !== "word" || !isSubjectShared) isSubjectShared = clause.hasSubject;
    if (++nth === MAX_CLAUSES) return false;
  }
  return false;
}

/** The sentence, then its rest after each place where clauses are joined. */
function* clauses(sentence: string): Generator<JoinedClause> {
  yield { text: sentence, joinedBy: "mark" };
  for (const { 0: joint, 2: marked, 3: bare, index } of sentence.matchAll(JOINT)) {
    const word = marked ?? bare;
    const text = sentence.slice(index + joint.length);
    yield word === undefined ? { text, joinedBy: "mark" } : { text, joinedBy: "word", word };
  }
}

interface JoinedClause {
  readonly text: string;
  readonly joinedBy: "word" | "mark";
  readonly word?: string;
}

/** Words of a clause that permits something: it replaces the order that forbade it. */
const PERMITTED =
  /^(?:you (?:can|may)|feel free to|it['’]?s (?:ok|okay|fine|alright) to|du (?:darfst|kannst)|tu peux|vous pouvez|puedes|puoi|você pode|podes|je mag|możesz|можешь) (?:(?:use|add|include|write|mention|speak|answer|call|utiliser|mettre|usar|poner|usare|mettere|colocar|używać|использовать|ставить) [^,.!?]{1,60}|(?=\p{L}+ (?:\p{L}+ )?(?:wieder|weer))[^,.!?]{1,60}) (?:again|wieder (?:verwenden|benutzen|nutzen|schreiben)|à nouveau|de nouveau|de nuevo|otra vez|di nuovo|de novo|weer gebruiken|znowu|снова)[.! ]*$/u;

/** Words that end an earlier request, such as "you no longer need to". */
const RELIEVED =
  /^(?:you (?:no longer (?:need|have) to|(?:don['’]?t|do not) (?:need|have) to (?=[^,.!?]* any ?(?:more|longer)))|(?:there is |there['’]s )?no (?:longer any )?need to (?=[^,.!?]* any ?(?:more|longer))|du (?:musst|brauchst) (?=[^,.!?]*(?:nicht|kein\p{L}{0,2}) (?:\p{L}+ )?mehr)|tu n['’](?:as|es) plus (?:besoin|obligée?) d|ya no (?:hace falta|es necesario|tienes que|necesitas)|non (?:devi|serve|occorre) più|(?:você )?não precisas? mais|je hoeft (?=[^,.!?]*(?:niet|geen) (?:\p{L}+ )?meer)|nie musisz już|(?:тебе )?больше не (?:нужно|надо))/u;

interface Clause {
  /** The position where the order itself would begin. */
  readonly head: string;
  /** Whether the agent is asked: "can you", "I want you to", "you must". */
  readonly isAsked: boolean;
  readonly isForbidden: boolean;
  readonly isFromNow: boolean;
  readonly isOften: boolean;
  /** Whether words such as "whenever I…" or "when I ask…" come before the order. */
  readonly isRecurring: boolean;
  /** Whether a condition comes before the order, such as "if I go to Rome, …". */
  readonly isConditional: boolean;
  readonly hasSubject: boolean;
  /** Whether the clause begins with a name or, in German, with a noun. */
  readonly isCapital: boolean;
}

/** Removes everything before an order, in any sequence. */
function readClause(text: string, written: string): Clause {
  const found = { isAsked: false, isForbidden: false, isFromNow: false, isOften: false };
  const when = { isRecurring: false, isConditional: false };
  let head = text.replace(/^[^\p{L}\p{N}<]+/u, "");
  for (let steps = 0; steps < 8; steps++) {
    const before = head;
    const take = (pattern: RegExp): boolean => {
      const taken = pattern.exec(head)?.[0];
      if (taken === undefined || taken === "") return false;
      head = head.slice(taken.length).replace(/^[\s,:–—-]+/u, "");
      return true;
    };
    if (lasting.eachAtStart.test(head) || lasting.whenSaidAtStart.test(head)) {
      if (take(/^[^,.!?]{1,160},/u)) when.isRecurring = true;
    } else if (lasting.conditionAtStart.test(head)) {
      if (take(/^[^,.!?]{1,160},/u)) when.isConditional = true;
    } else if (lasting.everywhereAtStart.test(head) && take(/^[^,.!?]{1,80},/u)) when.isRecurring = true;
    else if (take(lasting.fromAtStart) || take(lasting.futureAtStart)) found.isFromNow = true;
    else if (take(lasting.oftenAtStart)) found.isOften = true;
    else if (take(command.forbid)) found.isForbidden = true;
    else if (take(command.ask)) found.isAsked = true;
    else take(command.filler);
    if (head === before) break;
  }
  const hasSubject = !found.isAsked && !found.isForbidden && command.subject.test(head);
  const isCapital = /^\p{Lu}/u.test(written.slice(written.length - head.length));
  return { head, ...found, ...when, hasSubject, isCapital };
}

function isOrder(clause: Clause): boolean {
  const { head, isAsked, isForbidden, isFromNow, isOften, isRecurring, isConditional, hasSubject } = clause;
  if (isForbidden) return !command.comfort.test(head);
  const isTold = isAsked || isImperative(head);
  if (!hasSubject && isMannerOrder(head) && !isConditional) return true;
  if (markers.everyProduct.test(head) || isRuleForAnswers(head)) return true;
  if (isTold && (lasting.from.test(head) || lasting.each.test(head) || lasting.everywhere.test(head))) return true;
  if (isTold && NEGATED.test(head) && lasting.noLonger.test(head) && !command.comfort.test(head)) return true;
  if (isTold && (lasting.atLast.test(head) || isWhenSaid(head))) return true;
  if (VERBLESS.test(head)) return true;
  if ((isRecurring || isFromNow) && (isTold || isFragment(clause))) return true;
  return isOften ? isOftenOrder(clause, isTold) : hasOftenInside(head, isTold);
}

function isImperative(head: string): boolean {
  return (command.imperative.test(head) && !command.speaker.test(head)) || command.slavicImperative.test(head);
}

/** Orders to stop something, such as "don't … anymore" or "benutze … nicht mehr". */
const NEGATED = /^(?:(?:don['’]?t|do not|never|ne|no|non|não|nie|не|больше не) |n['’])| (?:nicht|keine?|niet|geen) /u;
/** Orders without a verb, such as "Preise bitte immer in Euro." */
const VERBLESS =
  /^[^ ,.]+ (?:bitte|please|por favor|per favore|graag|proszę|пожалуйста),? (?:always|never|immer|nie|niemals|siempre|nunca|sempre|altijd|nooit|zawsze|всегда) /u;

/** After "from now on" or "when I ask": an order with an unlisted verb, unless it looks like a statement. */
function isFragment({ head, hasSubject, isCapital, isFromNow }: Clause): boolean {
  if (head === "" || hasSubject || isCapital || FINITE.test(head) || (isFromNow && SLAVIC.test(head))) return false;
  return !command.inverted.test(head) && !command.firstPerson.test(head);
}

/** Verbs that make a clause a statement, as in "cars will drive" or "every Friday is". */
const FINITE =
  /^(?:[a-z]+ ){1,2}(?:is|are|was|were|will|would|has|have|had|can|could|may|might|must|should|does|did|gets?)(?: |n['’]t)/u;
/** In Russian and Polish, an order has an imperative. */
const SLAVIC = /[\u0400-\u052fąęłńśźż]/u;

/** Finds "when I ask" as in "Add the date when I ask for a summary", but not "Tell me if I ask too much". */
function isWhenSaid(head: string): boolean {
  const at = head.search(lasting.whenSaid);
  return at > 0 && !/^(?:if|si|se|falls|jeśli|jeżeli|если) /u.test(head.slice(at));
}

/**
 * Whether the words after "always" or "never" give an order: "Always sort by date", but not "Always fun", "Never been
 * there", "Never answers".
 */
function isOftenOrder({ head, hasSubject }: Clause, isTold: boolean): boolean {
  if (isTold) return true;
  return ENGLISH_WORD.test(head) && !hasSubject && !markers.noOrder.test(head) && !FOREIGN.test(head);
}

const ENGLISH_WORD = /^[a-z]+(?:-[a-z]+)?(?:$|[\s.,;:!])/u;
/** Words of languages other than English; in these languages, only listed verbs can begin an order. */
const FOREIGN =
  /[^\p{ASCII}‘’“”–—…]|(?:^| )(?:der|die|das|und|ist|noch|wieder|le|la|les|et|pas|el|los|en|que|il|di|che|per|em|com|het|een|van|nie|w|jest|estado|stato|estive|he|ho|hai|ha|tive|foi|era|es|son)(?: |[.,!]|$)/u;

/** Finds orders such as "Antworte immer…", which begin with the verb and have no other subject before "immer". */
function hasOftenInside(head: string, isTold: boolean): boolean {
  const found = lasting.often.exec(head);
  if (found === null || found.index === 0) return false;
  const before = head.slice(0, found.index).trim();
  const clause = (before.split(/[,;:—–]/u).at(-1) ?? "").replace(/^ ?[^ ]+en sie( |$)/u, "");
  if (isTold) return !markers.statement.test(clause) && !EMBEDDED.test(clause);
  if (/^(?:always|never)$/u.test(found[0]) || lasting.slavic.test(found[0])) return false;
  // An unlisted verb alone: "Sortiere immer nach Datum", "Ordena siempre por fecha".
  const after = head.slice(found.index + found[0].length).trim();
  const isWord = !/[^\p{L}]/u.test(before) && !command.subject.test(before) && !LIKE_ALWAYS.test(before);
  return isWord && BEHIND_VERB.test(after);
}

/** Phrases after which "always" is part of the content, not of an order: "Show me how to always…". */
const EMBEDDED =
  /(?:^| )(?:how|why|what|where|who|which|whether|to|wie|warum|dass|ob|comment|pourquoi|que|qui|cómo|como|porqué|come|perché|che|hoe|waarom|dat|jak|dlaczego|że|как|почему|что)(?: |$)/u;

/** Phrases in which a word for "always" gives no order, such as "wie immer" or "casi siempre". */
const LIKE_ALWAYS =
  /^(?:wie|fast|noch|auch|comme|presque|pas|como|casi|come|quasi|zoals|bijna|nog|quase|desde|para|per|pour|da|de|e|y|et|und|en|o|no|non|não|ho|ha|he)$/u;
const BEHIND_VERB =
  /^(?:der|die|das|den|dem|ein|eine|einen|einem|mit|nach|in|auf|zu|für|kein|keine|keinen|le|la|les|un|une|des|en|avec|par|à|el|los|las|una|con|por|de|il|lo|i|gli|per|o|os|as|um|uma|com|em|het|een|met|op|naar|geen) /u;
