/** Words of questions about tables, in English, German and French, in the form in which `wordsOf` returns words. */
import { wordsOf } from "./words.ts";

const words = (list: string): ReadonlySet<string> => new Set(wordsOf(list));

export type Operation = "highest" | "lowest" | "sum" | "average" | "count";

export const OPERATIONS: Readonly<Record<Operation, ReadonlySet<string>>> = {
  highest: words(
    "highest largest biggest greatest maximum maximal max most best top longest " +
      "höchste höchsten höchster höchstes größte größten größter größtes meiste meisten maximal beste besten " +
      "plus maximum maximale meilleur meilleure meilleurs meilleures",
  ),
  lowest: words(
    "lowest smallest least minimum minimal min fewest worst shortest " +
      "niedrigste niedrigsten niedrigster kleinste kleinsten kleinster geringste geringsten wenigste wenigsten minimal schlechteste " +
      "moins minimum minimale pire",
  ),
  sum: words(
    "sum total totals altogether overall combined summe gesamt gesamte insgesamt zusammen gesamtsumme somme total totale totales totaux",
  ),
  average: words(
    "average avg mean durchschnitt durchschnittlich durchschnittliche durchschnittlichen mittelwert schnitt moyenne moyennes moyen moyens",
  ),
  count: words("many number count viel viele wieviel wieviele anzahl zähle combien nombre compte"),
};

/** After "plus" or "moins", these adjectives add no meaning: "les ventes les plus élevées". */
export const FRENCH_DEGREES = words(
  "élevé élevée élevés élevées haut haute hauts hautes grand grande grands grandes gros grosse faible faibles bas basse basses petit petite petits petites bons bonnes",
);
export const ROWS = words(
  "row rows entry entries record records line lines people person persons zeile zeilen personen leute eintrag einträge einträgen datensatz datensätze ligne lignes personnes entrée entrées enregistrement enregistrements",
);
export const EACH = new Set("by per each every pro je nach jede jeder jedes jeden par chaque".split(" "));
/** Words that make a sum or a list wrong if they are ignored. */
export const NEGATIONS = new Set(
  "not no except without excluding but other nicht kein keine keinen ohne ausser außer pas sans sauf autre autres".split(
    " ",
  ),
);
/** Things that a row can stand for. "How many sales" asks for the number of rows. */
export const COUNTED = words("sales orders purchases transactions verkäufe bestellungen käufe ventes commandes achats");
/** Words for a price times a quantity. */
export const EARNED = words("revenue revenues turnover sales umsatz umsätze erlös erlöse ventes recettes");
export const AND = /\b(?:and|und|et|sowie|vs|versus)\b|[,&]/g;
export const ALTERNATIVE = new Set("or oder ou".split(" "));
/** Words that ask for the table itself. */
export const WHOLE = words("table csv sheet spreadsheet everything tabelle alles tableau tout");
export const SHOWING = words(
  "show list display print view make create erstelle mach mache fais crée zeige zeig anzeigen montre affiche liste",
);
export const FIRST = words("first beginning erste ersten anfang premier première premiers premières début");
export const LAST = words("last letzte letzten ende dernier dernière derniers dernières fin");
export const SORTING = words(
  "sort sorted order ordered rank ranked sortiere sortiert ordne trie trier trié classe classer",
);
export const DESCENDING = words("descending desc decreasing absteigend décroissant décroissante");
export const ASCENDING = words("ascending asc increasing aufsteigend croissant croissante");
const DIGITS: ReadonlyMap<string, number> = new Map(
  [
    "one eins un",
    "two zwei deux",
    "three drei trois",
    "four vier quatre",
    "five fünf cinq",
    "six sechs",
    "seven sieben sept",
  ]
    .concat(["eight acht huit", "nine neun neuf", "ten zehn dix"])
    .flatMap((list, nth) => wordsOf(list).map((word) => [word, nth + 1] as const)),
);

/** The whole number that a word names; null for other words. */
export function countNamed(word: string): number | null {
  return /^\d{1,6}$/.test(word) ? Number(word) : (DIGITS.get(wordsOf(word)[0] ?? "") ?? null);
}

/** Words that add nothing to a question about a table. Stop words add nothing, too. */
export const FILLERS = words(
  "compare compared comparison vs versus everyone everybody sold sell sells work works working only just nur seulement show list give find get see calculate compute work out tell much high low big amount value values column table data csv sheet spreadsheet there any all altogether had having got belong in file " +
    "vergleiche vergleich gab liegt verkauft verkaufte verkauften zeige zeig nenne liste gib berechne rechne hoch groß wert werte spalte tabelle datei daten gibt es hat haben hatte alle welche welcher welches bei der mir " +
    "vendu vendus vendue vendues montre liste donne calcule valeur valeurs colonne tableau fichier données y a il ont avait toutes tous est-ce que se trouve dans du des aux au en moi de ne se ont eu d l j s n c t m qu",
);
