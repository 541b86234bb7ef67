/**
 * Decides whether a later order is about the same subject as an earlier one and replaces it.
 *
 * A subject is what is left of an order without the words that say how long or how often, without its value (the
 * language, the unit, the length) and without verbs that say nothing. Orders with the same rest are about the same
 * subject: "Always use tables" and "Never use tables", "Answer in French" and "Reply in German". The rule is narrow on
 * purpose. If two orders stay in view, the model follows the later one; an order that is dropped by mistake is lost.
 */
import { judgedText } from "./addressed-text.ts";
import { dimensionOf, kindOf } from "./kind.ts";
import { markers } from "./markers.ts";
import { blankQuotations } from "./quotation.ts";
import { LASTING_UNSPACED, PREFERENCES } from "./unspaced.ts";
import { matchWords } from "./word-matcher.ts";

/** Whether a later order takes the place of an earlier one. */
export function isSameSubject(earlier: Subject, later: Subject): boolean {
  if (earlier.about !== later.about) return false;
  // "Don't call me sir" says nothing about "Call me Ada".
  if (earlier.isRefusal || later.isRefusal) return earlier.rest === later.rest;
  if (later.about === "name") return true;
  // An order without any condition overrides those of its dimension, if they are about answers: "Answer in English" says
  // nothing about "I prefer Italian food". An order without meaningful words has no subject.
  if (later.rest === "") return later.about !== "" && (earlier.rest === "" || earlier.isAboutAnswers);
  if (earlier.rest === later.rest) return true;
  // For example, "limit answers to 100 words" is replaced by "limit answers to 200 words".
  return earlier.isAboutAnswers && later.isAboutAnswers && withoutNumbers(earlier) === withoutNumbers(later);
}

function withoutNumbers({ rest }: Subject): string {
  return rest.replace(/\d+/g, "#");
}

export interface Subject {
  /** The dimension whose value the order sets; "" for none. */
  readonly about: string;
  readonly rest: string;
  /** Whether the order says how the agent answers, or in which units it gives something. */
  readonly isAboutAnswers: boolean;
  /** Whether the order rejects a name. */
  readonly isRefusal: boolean;
}

export function subjectOf({ kind, ...order }: { readonly text: string; readonly kind?: string }): Subject {
  const text = judgedText(order.text);
  // A language inside quotation marks is not the language to answer in.
  const spoken = blankQuotations(text);
  if ((kind ?? kindOf(spoken)) === "name")
    return { about: "name", rest: nameIn(spoken), isAboutAnswers: true, isRefusal: REFUSAL.test(spoken) };
  const dimension = dimensionOf(spoken);
  const plain = dimension === null ? text : text.replace(dimension.values, " ");
  const nouns = dimension?.kind === "units" ? UNIT_NOUNS : NO_WORDS;
  const words = new Set(contentWords(plain).filter((word) => !nouns.has(word)));
  const lower = spoken.toLowerCase();
  const isAboutAnswers =
    ANSWER.test(lower) || markers.product.test(lower) || (dimension?.kind === "units" && STATE.test(lower));
  return { about: dimension?.name ?? "", rest: [...words].sort().join(" "), isAboutAnswers, isRefusal: false };
}

/** In an order about a name, the last word is taken for the name. */
function nameIn(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.at(-1) ?? ""
  );
}

const REFUSAL =
  /(?<!\p{L})(?:don['’]?t|do not|never|stop|nicht|nie|niemals|ne m['’]appelle[sz]?|no me llam\p{L}+|non (?:mi )?chiamar\p{L}+|não me cham\p{L}+|niet|nooit|nie (?:mów|nazywaj)|не (?:называй|зови)\p{L}*)(?!\p{L})|(?:不要|别|別)叫|呼ばないで|부르지/iu;

const ANSWER = matchWords(
  [
    "answering|reply|respond|write|speak|talk to me|explain|antworte|schreibe?|sprich|erkläre?|réponds|répondez|écris|écrivez|parle|parlez|explique",
    "responde|responda|escribe|escriba|habla|explica|rispondi|scrivi|parla|spiega|escreve|escreva|fala|fale",
    "antwoord|schrijf|spreek|odpowiadaj|pisz|отвечай|отвечайте|пиши|пишите|говори|говорите",
  ],
  ["答|说|說|写|寫|書い|話し|대답|답변|말해|써"],
);
/** Verbs that give a value, such as "use" or "write". */
const STATE = matchWords([
  "give|show|quote|state|list|express|convert|use|gib|zeige|nenne|verwende|nutze|donne|donnez|affiche|utilise|utilisez",
  "da|muestra|usa|utiliza|mostra|dai|gebruik|geef|podawaj|używaj|показывай|указывай|используй|используйте",
]);

const STOP_WORDS = new Set(
  (
    "more again avoid skip quit drop the and for with that this from now out any all are was has have not don dont does use using used give show list quote provide include make keep tell put set say " +
    "answer answers answering reply replies respond response responses write speak talk please just also always never should must shall will would can could may you your yours " +
    "prefer preference rather like want need over than instead stop anymore longer future forward going here when whenever about into onto only ever every each time remember mind " +
    "antworte antworten antwort schreibe schreib sprich gib verwende benutze nutze zeige bitte immer nie niemals jetzt nun künftig auf mit mir mich ich den dem der die das ein eine nicht kein keine mehr " +
    "möchte will dass sollst du que quiero quisiera respondas voglio che vorrei quero você veux voudrais répondes tu vous plaît " +
    "réponds répondez réponse réponses écris parle donne utilise utilisez toujours jamais désormais partir maintenant moi pas les des une dans avec pour " +
    "responde responda respuestas escribe habla usa utiliza siempre nunca ahora partir adelante por favor los las una con para " +
    "rispondi risposte scrivi parla sempre mai ora poi avanti della delle degli una con per responder respostas escreve fala agora diante com para " +
    "antwoord schrijf gebruik altijd nooit vanaf nu een met voor odpowiadaj pisz zawsze nigdy teraz отвечай отвечайте ответы пиши говори используй всегда никогда момента этого теперь мне " +
    "musst brauchst plus besoin obligé obligée hace falta necesario tienes necesitas devi serve occorre più precisa precisas mais hoeft niet geen meer musisz już больше нужно надо тебе"
  ).split(" "),
);
const STEM = 7;
const NO_WORDS: ReadonlySet<string> = new Set();
/** Nouns for the quantity that a unit measures: "Use Celsius" and "Use Celsius for temperatures" mean the same. */
const UNIT_NOUNS: ReadonlySet<string> = new Set(
  "temperature temperatures degrees prices amounts money units unit system distances distance weights measurements time times clock format temperaturen grad preise einheiten températures prix unités temperaturas precios unidades temperature prezzi unità preços temperaturen prijzen eenheden temperatury ceny температуру цены"
    .split(" ")
    .map((word) => word.replace(/e$/, "").slice(0, STEM)),
);
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/u;

function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (UNSPACED.test(word)) return [withoutMarkers(word)].filter((rest) => rest !== "");
    const plain = word.replace(/(?<=\p{L}{3})ing$/u, "").replace(/(?<=\p{L}{3})e$/u, "");
    const says = [word, plain, `${plain}e`].some((form) => STOP_WORDS.has(form));
    return (word.length < 3 && !/\p{N}/u.test(word)) || says ? [] : [plain.slice(0, STEM)];
  });
}

/** For languages without spaces: the subject is the text that is left between the words that mark an order. */
function withoutMarkers(text: string): string {
  let rest = text;
  for (const marker of [LASTING_UNSPACED, PREFERENCES, markers.weak, markers.person, markers.product])
    rest = rest.replace(new RegExp(marker, "giu"), "");
  return rest;
}
