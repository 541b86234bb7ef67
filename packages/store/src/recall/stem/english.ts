/** English word forms: irregular ones by a list, others by "An algorithm for suffix stripping" (Porter, 1980). */
const IRREGULAR = new Map(
  `be am is are was were been being|have has had having|do does did done|go goes went gone|say said|make made
get got gotten|know knew known|take took taken|see saw seen|come came|think thought|give gave given|find found|tell told
feel felt|leave left|mean meant|keep kept|begin began begun|show shown|hear heard|run ran|bring brought
write wrote written|sit sat|stand stood|lose lost|pay paid|meet met|lead led|understand understood|speak spoke spoken
grow grew grown|buy bought|win won|teach taught|catch caught|sell sold|build built|send sent|spend spent|fall fell fallen
drive drove driven|draw drew drawn|break broke broken|choose chose chosen|rise rose risen|eat ate eaten|wear wore worn
hold held|ride rode ridden|fly flew flown|sing sang sung|swim swam swum|sleep slept|fight fought|seek sought
throw threw thrown|forget forgot forgotten|drink drank drunk|steal stole stolen|wake woke woken|bite bit bitten
hide hid hidden|shoot shot|feed fed|light lit|dream dreamt|learn learnt|burn burnt|spell spelt|become became
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|bend bent|bind bound|bleed bled|blow blew blown
breed bred|cling clung|creep crept|deal dealt|dig dug|forbid forbade forbidden|forgive forgave forgiven
freeze froze frozen|grind ground|hang hung|kneel knelt|lay laid|lend lent|mistake mistook mistaken|overcome overcame
prove proven|ring rang rung|saw sawn|sew sewn|shake shook shaken|shine shone|shrink shrank shrunk|sink sank sunk
slide slid|spin spun|split|spring sprang sprung|stick stuck|sting stung|stink stank stunk|strike struck stricken
string strung|swear swore sworn|sweep swept|swell swollen|swing swung|tear tore torn|undergo underwent undergone
undertake undertook undertaken|upset|weave wove woven|weep wept|wind wound|withdraw withdrew withdrawn
child children|man men|woman women|foot feet|tooth teeth|goose geese|mouse mice|louse lice|ox oxen|person people persons
good better best|bad worse worst|far further furthest farther farthest|life lives|wife wives|knife knives|leaf leaves
half halves|shelf shelves|wolf wolves|calf calves|loaf loaves|thief thieves|self selves|crisis crises|thesis theses
analysis analyses|basis bases|index indices indexes|matrix matrices|vertex vertices|criterion criteria
phenomenon phenomena|datum data|medium media`
    .split(/[\n|]/)
    .flatMap((line) => {
      const [base = "", ...forms] = line.split(" ");
      return forms.map((form): [string, string] => [form, base]);
    }),
);

const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
/** The measure m of the paper: how often vowels are followed by consonants. */
const ABOVE_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const EXACTLY_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const ABOVE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
/** The condition *o: consonant, vowel, consonant that is not w, x or y. */
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

const STEP_2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const STEP_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

export function stemEnglish(word: string): string {
  const base = IRREGULAR.get(word) ?? word;
  if (base.length < 3) return base;
  // A `y` that begins a word is a consonant.
  const startsWithY = base.startsWith("y");
  const stem = step5(step4(replace(replace(step1(startsWithY ? `Y${base.slice(1)}` : base), STEP_2), STEP_3)));
  return startsWithY ? `y${stem.slice(1)}` : stem;
}

function step1(word: string): string {
  let stem = word;
  if (/(ss|i)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^s]s$/.test(stem)) stem = stem.slice(0, -1);
  const [, before] = /^(.+?)(?:ed|ing)$/.exec(stem) ?? [];
  if (stem.endsWith("eed")) {
    if (ABOVE_0.test(stem.slice(0, -3))) stem = stem.slice(0, -1);
  } else if (before !== undefined && HAS_VOWEL.test(before)) stem = afterEnding(before);
  return stem.endsWith("y") && HAS_VOWEL.test(stem.slice(0, -1)) ? `${stem.slice(0, -1)}i` : stem;
}

function afterEnding(stem: string): string {
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return SHORT_END.test(stem) ? `${stem}e` : stem;
}

function replace(word: string, rules: readonly (readonly [string, string])[]): string {
  const rule = rules.find(([ending]) => word.length > ending.length && word.endsWith(ending));
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return ABOVE_0.test(stem) ? stem + rule[1] : word;
}

function step4(word: string): string {
  const [, stem] = STEP_4.exec(word) ?? [];
  if (stem !== undefined) return ABOVE_1.test(stem) ? stem : word;
  return /[st]ion$/.test(word) && ABOVE_1.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
}

function step5(word: string): string {
  let stem = word;
  if (stem.endsWith("e")) {
    const before = stem.slice(0, -1);
    if (ABOVE_1.test(before) || (EXACTLY_1.test(before) && !SHORT_END.test(before))) stem = before;
  }
  return stem.endsWith("ll") && ABOVE_1.test(stem) ? stem.slice(0, -1) : stem;
}
