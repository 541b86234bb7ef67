/**
 * The kind of a standing order: its subject. The kind groups the list for people and models. Some kinds have values,
 * and one value is valid at a time: a language to answer in, a unit for a dimension, a length, a degree of formality.
 */
import { CALL_ME, I_GO_BY, MY_NAME_IS } from "./markers.ts";
import { ORDER_KINDS, type OrderKind } from "./order-kinds.ts";
import { matchWords } from "./word-matcher.ts";

const NAME = matchWords(
  [
    `${CALL_ME}|address me as|refer to me as|${MY_NAME_IS}|${I_GO_BY}`,
    "my pronouns|nenne? mich|nennen sie mich|ich heiße|mein name ist",
    "appelle(?:z)?-moi|je m['’]appelle|mon nom est|llámame|llámeme|me llamo|mi nombre es|chiamami|mi chiamo|il mio nome è",
    "chama-me|chame-me|me chame|meu nome é|noem m(?:e|ij)|ik heet|mijn naam is|mów mi|nazywaj mnie|nazywam się|mam na imię",
    "называй(?:те)? меня|зови(?:те)? меня|меня зовут",
  ],
  ["叫我|称呼我|稱呼我|我叫|我的名字|と呼んで|私の名前は|라고 불러|(?:제|내) 이름은"],
);

export interface Dimension {
  readonly name: string;
  readonly kind: OrderKind;
  /** Values of the kind in languages with spaces between words, as a pattern. */
  readonly spaced: string;
  /** Values that the kind can have. The expression is global, so that all of them can be replaced. */
  readonly values: RegExp;
}

const dimension = (
  name: string,
  kind: OrderKind,
  spaced: readonly string[],
  unspaced: readonly string[],
): Dimension => ({
  name,
  kind,
  spaced: spaced.join("|"),
  values: matchWords(spaced, unspaced, "giu"),
});

const DIMENSIONS: readonly Dimension[] = [
  dimension(
    "language",
    "language",
    [
      "(?:british|american) english|english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|mandarin|japanese|korean|arabic|turkish|hindi",
      "deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|niederländisch|polnisch|russisch|chinesisch|japanisch",
      "français|anglais|allemand|espagnol|italien|portugais|néerlandais|polonais|russe|chinois|japonais",
      "español|inglés|francés|alemán|italiano|portugués|ruso|chino|japonés|inglese|tedesco|francese|spagnolo|portoghese|russo",
      "português|inglês|francês|alemão|espanhol|engels|duits|frans|spaans|nederlands|po angielsku|po niemiecku|po polsku|po francusku",
      "по-русски|по-английски|по-немецки|по-французски|на русском|на английском|на немецком|на французском|на испанском",
    ],
    ["中文|英文|英语|英語|日语|日文|法语|德语|日本語|中国語|韓国語|한국어|영어|일본어|중국어|독일어|프랑스어"],
  ),
  dimension(
    "spelling",
    "format",
    [
      "(?:british|american|uk|us|canadian|australian)(?= (?:spelling|orthography))|(?:british|american) (?:spellings|conventions)",
    ],
    [],
  ),
  dimension(
    "temperature",
    "units",
    ["celsius|celsjusza|fahrenheit\\p{L}*|kelvin|цельси\\p{L}*|фаренгейт\\p{L}*"],
    ["摄氏|华氏|摂氏|華氏|섭씨|화씨"],
  ),
  dimension(
    "measure",
    "units",
    [
      "(?:metric|imperial)(?: (?:units|system))?|kilomet(?:er|re)s?|km|miles?|met(?:er|re)s|feet|inches|kilograms?|kg|pounds|lbs",
      "metrisch\\p{L}*|meilen|métriques?|kilomètres?|métrico|kilómetros?|chilometri|metriek\\p{L}*|metryczn\\p{L}*|метрическ\\p{L}*|километр\\p{L}*",
    ],
    ["公里|英里|公制|英制|メートル法|キロ|マイル|미터법|킬로|마일"],
  ),
  dimension(
    "currency",
    "units",
    ["euros?|eur|(?:us )?dollars?|usd|gbp|yen|jpy|chf|swiss francs?|dólares|dollari|евро|доллар\\p{L}*|рубл\\p{L}*"],
    ["欧元|歐元|美元|人民币|日元|ユーロ|ドル|유로|달러"],
  ),
  dimension(
    "clock",
    "units",
    ["24[- ]?hours?|12[- ]?hours?|24h|am/pm|24[- ]?stunden|24 heures|24 horas|24 ore|24 uur"],
    ["24小时|24時間|24시간"],
  ),
  dimension(
    "length",
    "tone",
    [
      "short|brief|concise|terse|long|(?<!(?:no|any) )longer|shorter|detailed|verbose|in detail|kurz\\p{L}*|knapp\\p{L}*|ausführlich\\p{L}*|lang\\p{L}{0,2}",
      "court\\p{L}*|bref|brèves?|concis\\p{L}*|longues?|détaillée?s?|cort[oa]s?|breves?|concis[oa]s?|larg[oa]s?|detallad[oa]s?|brevi|lunghe|dettagliat[eoai]",
      "curt[oa]s?|longas?|detalhad[oa]s?|korte?|bondig|lange?|uitgebreid|krótk\\p{L}*|szczegółow\\p{L}*|кратк\\p{L}*|коротк\\p{L}*|подробн\\p{L}*",
    ],
    ["简洁|簡潔|简短|簡短|详细|詳細|短く|詳しく|간결하게|짧게|자세히"],
  ),
  dimension(
    "formality",
    "tone",
    [
      "(?:more )?(?:formal|informal|casual)(?:ly)?|förmlich|formlos|duze|duzen|sieze|siezen|formel\\p{L}*|informel\\p{L}*|tutoie|tutoyez|vouvoie|vouvoyez|tutoyer|vouvoyer",
      "tutéame|tuteame|tratarme de usted|formale|informale|formeel|informeel|formaln\\p{L}*|nieformaln\\p{L}*|формальн\\p{L}*|неформальн\\p{L}*",
    ],
    ["正式|随意|敬語|タメ口|존댓말|반말"],
  ),
];

const FORMAT = matchWords(
  [
    "tables?|bullets?|bullet points?|lists?|markdown|json|csv|yaml|code ?blocks?|syntax|headings?|paragraphs?|sentences?|words|emojis?|citations?|cite|sources?|footnotes?|format|structure|summar(?:y|ies)|examples?|steps?|numbered|versions?|dates?",
    "tabellen?|stichpunkte?n?|aufzählung(?:en)?|listen?|überschriften?|absätze?n?|sätze?n?|quellen|beispiele?n?|tableaux?|puces|listes?|paragraphes?|phrases?|exemples?",
    "tablas?|viñetas|listas?|párrafos?|frases?|fuentes|ejemplos?|elenchi|elenco|paragrafi|frasi|fonti|esempi|tabelas?|parágrafos?|fontes|exemplos?",
    "tabel|opsomming(?:en)?|lijst(?:en)?|bronnen|voorbeelden|tabele|źródła|przykłady|таблиц\\p{L}*|спис\\p{L}*|источник\\p{L}*|пример\\p{L}*|абзац\\p{L}*",
  ],
  ["表格|列表|要点|格式|例子|来源|來源|段落|代码|箇条書き|表で|出典|例を|표로|목록|출처|예시"],
);
const TONE = matchWords(
  [
    "polite|friendly|professional|humou?r|humou?rous|jokes?|tone|direct|simple|plain|höflich|freundlich|sachlich|witze?|poli|amical|humour|amable|cortés|chistes|gentile|educado|beleefd|uprzejm\\p{L}*|вежлив\\p{L}*|шут\\p{L}*",
  ],
  ["礼貌|禮貌|幽默|丁寧|冗談|정중|농담"],
);
const PREFERENCE = matchWords(
  [
    "prefer|preference|rather|i (?:like|love|enjoy|hate|dislike)|bevorzuge|lieber|préf\\p{L}+|prefiero|preferiría|preferisco|preferirei|prefiro|liever|voorkeur|wolę|предпочита\\p{L}*",
  ],
  ["喜欢|喜歡|偏好|好き|好み|선호|좋아"],
);

export function kindOf(text: string): OrderKind {
  const lower = text.toLowerCase();
  if (NAME.test(lower)) return "name";
  const found = dimensionOf(text);
  if (found !== null) return found.kind;
  if (FORMAT.test(lower)) return "format";
  if (TONE.test(lower)) return "tone";
  return PREFERENCE.test(lower) ? "preference" : "rule";
}

/** The values of a dimension in languages that set words apart, as a pattern. */
export function valuesOf(name: string): string {
  return `(?:${DIMENSIONS.find((each) => each.name === name)?.spaced ?? ""})`;
}

/** The first dimension whose values a text names; null for none. */
export function dimensionOf(text: string): Dimension | null {
  return DIMENSIONS.find(({ values }) => text.search(values) >= 0) ?? null;
}

export function isOrderKind(value: unknown): value is OrderKind {
  return ORDER_KINDS.some((kind) => kind === value);
}
