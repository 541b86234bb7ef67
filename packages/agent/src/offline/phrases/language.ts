/** The language of a message, by its most frequent small words. English, unless another language has more of them. */
export type Language = "en" | "de" | "fr";

const words = (list: string) => new Set(list.split(" "));

/** The words have no accents. A word that two languages share is either in both lists or in none. */
const COMMON: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words(
    "the is are of and to what who how when where which why do does did can could would should you your i my it its this " +
      "that these with for about from please hello hi hey thanks thank write search remember look find show make give draw " +
      "tell have has had not by be there if as calculate compute much many turn run then also",
  ),
  de: words(
    "der die das den dem des ein eine einen einem einer eines und oder ist sind wie wer wo wann warum welche welcher " +
      "welches ich du sie wir mir mich dir dich mein meine meinen dein deine deinen im am auf mit von vom zu zum zur fur " +
      "uber nicht kein keine bitte hallo danke dank dankeschon vielen guten moin schreib schreibe erstelle such suche nach " +
      "merk merke notiere dass kann kannst weisst weißt hast habe bist gibt wird werden bei aus auch noch wieviel viel " +
      "berechne rechne zeichne zeige mach mache hilfe geteilt durch hoch mal fasse zusammen als",
  ),
  fr: words(
    "le la les un une des du de et ou est sont qui que quoi quel quelle quels quelles comment quand pourquoi je j tu il " +
      "elle nous vous mon ma mes ton ta tes votre vos sur dans avec pour pas ne ce cette ces c qu l d au aux en te toi moi " +
      "merci bonjour bonsoir salut coucou ecris ecrivez cherche recherche trouve retiens souviens combien font fait " +
      "calcule calculez peux peut sais ai as ete dessine trace fais montre aide plait divise fois moins",
  ),
};
/** Spanish, Italian, Portuguese and Dutch. Answers in these languages are in English. */
const FOREIGN = words(
  "el la los las un una de es son que quien como donde cuando cual cuanto cuanta por para con sin mi mis tu su del al no muy hola gracias esta este eso puedo puedes quiero hay tiene mas pero " +
    "il lo gli uno che chi come dove quando quale quanto perche sono sei mio mia tuo di della nel con ciao grazie puoi posso voglio questo questa c'e " +
    "os uma nao quem onde qual quais meu minha seu sua em na no ola obrigado obrigada voce pode isto isso " +
    "het een van niet wat wie waar hoe welke mijn jouw zijn ik jij en of op te bij hoi bedankt kun kan deze dit",
);
/** Marks of Spanish only. They count as this number of words. */
const SPANISH = /[¿¡]/;
const SPANISH_WORDS = 5;
const MAX_LENGTH = 4_000;
const CODE = /^```[\s\S]*?(?:^```|$(?![\s\S]))/gm;

export function languageOf(text: string): Language {
  const counts = countsOf(text);
  const other = counts.fr > counts.de ? "fr" : "de";
  return counts[other] > counts.en && counts[other] >= counts.foreign ? other : "en";
}

/** Whether a message is in a language that is answered in English. */
export function isForeign(text: string): boolean {
  const { en, de, fr, foreign } = countsOf(text);
  return foreign > Math.max(en, de, fr);
}

function countsOf(text: string) {
  const counts = { en: 0, de: 0, fr: 0, foreign: SPANISH.test(text.slice(0, MAX_LENGTH)) ? SPANISH_WORDS : 0 };
  // Code is left out, because its identifiers look like short words of every language. A single letter can be a unit.
  for (const [word] of folded(text.slice(0, MAX_LENGTH).replace(CODE, " "))
    .toLowerCase()
    .matchAll(/\p{L}{2,}|\p{L}(?='\p{L})/gu)) {
    for (const language of ["en", "de", "fr"] as const) if (COMMON[language].has(word)) counts[language]++;
    if (FOREIGN.has(word)) counts.foreign++;
  }
  return counts;
}

/** The text without accents and with straight apostrophes. It keeps its length, so positions stay the same. */
export function folded(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD").charAt(0));
}
