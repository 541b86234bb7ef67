/**
 * Light stemming by endings, for languages where most forms of a word differ in how they end. The longest ending that
 * leaves enough of the word is removed once; then a final vowel may be removed. Words are already folded, so the
 * endings have no accents.
 */
export interface Endings {
  /** Endings, separated by spaces, that leave at least three letters. */
  readonly short: string;
  /** Endings that are only removed if at least four letters are left. */
  readonly long: string;
  /** Final letters that are removed last, if four letters remain. */
  readonly vowels: string;
}

/** A stemmer, with its endings sorted once. */
export function stemmerOf({ short, long, vowels }: Endings): (word: string) => string {
  const rulesOf = (endings: string, least: number) => endings.split(" ").map((ending) => ({ ending, least }));
  const rules = [...rulesOf(short, 3), ...rulesOf(long, 4)].sort((a, b) => b.ending.length - a.ending.length);
  return (word) => {
    const rule = rules.find(({ ending, least }) => word.length >= ending.length + least && word.endsWith(ending));
    const stem = rule === undefined ? word : word.slice(0, -rule.ending.length);
    return stem.length > 4 && vowels.includes(stem.at(-1) ?? " ") ? stem.slice(0, -1) : stem;
  };
}

export const GERMAN: Endings = {
  short: "en er es em e s n",
  long: "ern ungen ung heiten heit keiten keit lichen liche licher liches lich igen ige iger iges ig isch ische ischen ten test tet te est st et",
  vowels: "",
};

export const DUTCH: Endings = {
  short: "en s e",
  long: "heden heid ingen ing tjes tje jes je ten te den de sten ste lijke lijk ige ig",
  vowels: "",
};

export const SWEDISH: Endings = {
  short: "en et ar er or a e s n",
  long: "arna erna orna arnas ernas ornas ande ende aste heter heten het ade ades ast are aren",
  vowels: "",
};

export const FRENCH: Endings = {
  short: "es s e x ee ees er ez ai as ant ait ais",
  long: "issements issement issant ements ement atrices atrice ateurs ateur ations ation euses euse ives ive ifs if ites ite ables able ismes isme istes iste antes ante aient erent erait erais irent assent ions iez ons eurs eur aux",
  vowels: "ei",
};

export const SPANISH: Endings = {
  short: "s es os as a o e ar er ir",
  long: "amente mente aciones acion adores adora ador antes ante ables able ibles ible ismos ismo istas ista ados adas ado ada idos idas ido ida ando iendo aron ieron aban aba abas ian ia ias amos emos imos ara aran era eran aria arian itos itas ito ita dades dad",
  vowels: "aeio",
};

export const PORTUGUESE: Endings = {
  short: "s es os as a o e ar er ir",
  long: "amente mente acoes acao adores adora ador antes ante aveis avel iveis ivel ismos ismo istas ista ados adas ado ada idos idas ido ida ando endo indo aram eram iram avam ava ia iam amos emos imos ou eu iu inhos inhas inho inha idades idade",
  vowels: "aeio",
};

export const ITALIAN: Endings = {
  short: "i e a o are ere ire",
  long: "amente mente azioni azione atrici atrice atori atore anti ante abili abile ibili ibile ismi ismo isti ista iste ati ate ato ata iti ite ito ita uti ute uto uta ando endo arono erono irono avano ava ivano iva evano eva iamo ita",
  vowels: "aeio",
};

export const RUSSIAN: Endings = {
  short: "а я о е ы и у ю ь й ом ем ой ей ов ев ам ям ах ях ую юю ая яя ое ее ые ие ый ий ым им ых их",
  long: "ами ями ого его ому ему ыми ими ала али ало ать ять ить еть ил ила или ило ал ешь ишь ете ите ют ут ят ат ет ит ость ости остью ение ения ению ением ании ание ания ться тся лся лась лись ующий ующая",
  vowels: "аеиоуыья",
};
