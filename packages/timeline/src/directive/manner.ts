/**
 * Orders that say how the agent is to answer. Such orders are permanent without saying so: "Use Celsius for
 * temperatures", "No more emojis", "Stop apologizing", "Tutoie-moi". Each pattern is matched where an order begins.
 *
 * Distinguishes properties of every answer (units, language, spelling, form of address) from the subject of one answer:
 * "Give prices in euros" is meant in general, "Show me the price in dollars" and "Use Celsius for this chart" are not.
 */
import { valuesOf } from "./kind.ts";
import { matchStart, matchWords } from "./word-matcher.ts";

const anyOf = (rows: readonly string[]) => `(?:${rows.join("|")})`;

/** Things that people may not want in answers. */
const UNWANTED = `${anyOf([
  "emojis?|emoji['’]s|émojis?|emoticon[es]?s?|emotikon\\p{L}*|эмодзи|смайлик\\p{L}*|smileys?|jargon|gergo",
  "jerga|jargão|żargon\\p{L}*|жаргон\\p{L}*|slang|сленг\\p{L}*|bullet points?|bullets|bulleted lists",
  "stichpunkte|aufzählungen|puces|viñetas|tables|tabellen|tableaux|tablas|tabelle|tabelas|tabel\\p{L}*",
  "таблиц\\p{L}*|markdown|headings|headers|überschriften|titres|encabezados|titoli|títulos|pleasantries",
  "floskeln|filler(?: words)?|small ?talk|flattery|jokes|witze|blagues|chistes|barzellette|piadas|grapjes",
  "żart\\p{L}*|шут\\p{L}*|puns|sarcasm|sarkasmus|disclaimers?|warnings|caveats|apologies|entschuldigungen",
  "excuses|disculpas|scuse|desculpas|извинени\\p{L}*|exclamation (?:marks|points)|ausrufezeichen|spoilers?",
  "spoiler|swearing|swear words|profanity|clich[ée]s?|buzzwords|hashtags|abbreviations|abkürzungen|acronyms",
  "footnotes|fußnoten|em[- ]dashes|introductions|intros|einleitungen|preambles?|anglicisms|anglizismen",
  "fremdwörter|fachbegriffe|fachwörter|lectures|moralizing|follow-up questions|adjectives|superlatives",
  "metaphors|cumplidos|rodeos|passive voice|all caps|caps lock",
])}(?!\\p{L})`;
const LITTLE = "(?:\\p{L}+ ){0,2}?";

const NO = [
  "no more|no|none of (?:the|those|your)|less|fewer|not so many|without|avoid(?: using)?|skip|drop|omit",
  "leave out|cut|lose|enough(?: of| with)?(?: the| your)?",
  "(?:don['’]?t|do not|never|stop|quit) (?:use|using|add|adding|include|including|put|putting|give me|write|writing)",
  "keine?|keinerlei|nie wieder|ohne|weniger|vermeide|vermeiden sie",
  "(?:verwende|nutze|benutze|schreibe?) (?:\\p{L}+ )?keine?|verzichte auf|schluss mit (?:den|dem|der)",
  "schluss mit|pas d[e'’]|plus (?:d[e'’]|aucun)|aucun|sans|moins d[e'’]|évite[zr]?",
  "n['’]utilise[zr]? (?:pas|plus|jamais)|assez d[e'’]|no uses|no utilices|no use|no más|sin|evita|evite",
  "nada de|menos|basta de|deja de usar|non usare|non utilizzare|niente(?: più)?|basta|senza|meno",
  "nessun\\p{L}?|não uses?|não utilize|chega de|sem|pare de usar|geen|zonder|minder|vermijd|gebruik geen",
  "genoeg|nie używaj|bez|unikaj|koniec z|żadnych|mniej|не (?:используй|пиши|ставь)(?:те)?|без",
  "избегай(?:те)?|(?:больше )?никаких|меньше|хватит",
].join("|");
/** Verbs that make a statement of a refusal: "No emojis were harmed". */
const NO_VERB =
  "(?![^.!?]*(?<!\\p{L})(?:is|are|was|were|has|have|had|will|would|can|could|ist|sind|war|waren|hat|haben|est|sont|était|es|son|era|è|sono|é|são|zijn|jest|są|были?)(?!\\p{L}))";

/** Phrases that refuse something, such as "I don't want emojis". */
const WANT_NONE = [
  "i (?:don['’]?t|do not) (?:want|need|like)(?: any| to see(?: any)?)?",
  "i(?:['’]d like| would like| want|['’]d prefer) no",
  "ich (?:möchte|will|brauche|mag|wünsche) (?:\\p{L}+ ){0,2}?keine?",
  "je ne veux (?:pas|plus|aucun)(?: d[e'’])?|no quiero(?: más)?|non voglio(?: più)?|não quero(?: mais)?",
  "ik wil geen|nie chcę|я не хочу|мне не нужны",
].join("|");

/** Habits of agents that people ask them to stop. */
const HABITS = [
  "apologi[sz]\\p{L}+|saying|calling|using|adding|asking|repeating|giving|suggesting|recommending|telling",
  "writing|starting|ending|beginning|answering|being|lecturing|hedging|guessing|assuming|explaining",
  "mentioning|reminding|praising|flattering|making (?:jokes|assumptions|things up|excuses)|inventing",
  "including|putting|offering|thanking|replying|responding|speaking|talking|summari[sz]ing|quoting|citing",
  "rounding|moralizing|preaching|complimenting|agreeing|sugarcoating|translating everything",
].join("|");
const STOPPING = [
  `(?:stop|quit|cease|no more)(?: all| with)? (?:the |your |constantly |always )?(?:${HABITS})`,
  `hör(?:e|en sie)? (?:bitte )?auf,? (?:\\p{L}+ ){0,6}?\\p{L}*zu\\p{L}*`,
  `(?:arrête|arrêtez|cesse|cessez) d(?:e |['’])\\p{L}+`,
  `(?:deja|deje|para) de \\p{L}+(?:[aei]r)(?:te|se|me|lo|la)?|smett(?:i|ila|ete|etela|a) di \\p{L}+`,
  `(?:pare|para|deixe|deixa) de (?:se |te |me )?\\p{L}+[aei]r`,
  `(?:stop|hou(?:d)? op) met (?:\\p{L}+ ){0,3}\\p{L}+|przestań(?:cie)? \\p{L}+ć`,
  `(?:хватит|перестань(?:те)?|прекрати(?:те)?) \\p{L}+(?:ть|ться)`,
].join("|");

const ANSWER = [
  "answer|reply|respond|speak|talk|write|communicate|antworte|antworten sie|schreibe?|sprich|sprechen sie",
  "rede|réponds|répondez|écris|écrivez|parle|parlez|responde|responda|contesta|escribe|habla|rispondi",
  "scrivi|parla|escreva|escreve|fale|fala|antwoord|schrijf|spreek|praat|odpowiadaj|pisz|mów|отвечай(?:те)?",
  "пиши(?:те)?|говори(?:те)?",
].join("|");
const TO_ME =
  "(?:(?:(?:back |only |just )?(?:to|with) me|me|-moi|only|just|strictly|mir|mit mir|bitte|nur|nur noch|solo|sólo|comigo|conmigo|con me|alleen|tylko|со мной|мне|только)[ ,]+)*";
const LIKE = anyOf([
  "json|yaml|csv|xml|html|markdown|plain (?:text|language|english)",
  "(?:complete|full|short|simple|whole) sentences|(?:the )?(?:first|second|third) person|lower ?case",
  "upper ?case|bullet points|prose|layman['’]?s terms|ganzen sätzen|phrases complètes|frases completas",
  "frasi complete|(?:british|american|simple|plain) english|verse|rhymes?",
]);

const STYLE = anyOf([
  "(?:british|american|uk|us|swiss|proper|correct) (?:english|spelling|german)",
  "(?:simple|plain|easy|short|everyday|inclusive|formal|informal|gender-neutral) (?:words|language|sentences|english|terms|vocabulary)",
  "my (?:first|last|full) name|my (?:name|nickname|title)|(?:the )?(?:first|second|third) person",
  "(?:the )?(?:metric|imperial|si)(?: units| system)?|(?:24|12)[- ]?hour (?:time|clock|format)|tabs",
  "(?:two|four|2|4) spaces|iso dates|(?:the )?oxford comma|markdown|bullet points|plain text|active voice",
  "(?:das )?metrische\\p{L}*|einfache (?:wörter|sprache|sätze)|le système métrique|les unités métriques",
  "des mots simples|el sistema métrico|unidades métricas|palabras sencillas|il sistema metrico",
  "parole semplici|o sistema métrico|palavras simples|het metrieke stelsel|eenvoudige woorden",
]);
const USE = [
  "use|write (?:in|with)|stick (?:to|with)|spell in|verwende|benutze?|nutze?|utilise[zr]?|emploie|usa",
  "utiliza|utilice|utilizza|utilize|gebruik|używaj|используй(?:те)?",
].join("|");
/** Values that occur in many answers, such as dates and prices. */
const VALUES =
  "(?:all )?(?:dates|times|numbers|prices|amounts|temperatures|distances|weights|currencies|measurements|durations|names|code|code blocks|equations|formulas|headings|titles|citations)";

const ADDRESS = [
  "duze|duzen sie|sieze|siezen sie|sage? (?:bitte )?(?:du|sie) zu mir|lass uns duzen|tutoie|tutoyez",
  "tutoyons|vouvoie|vouvoyez|dis-moi (?:tu|vous)|tutéame|tutéeme|tutea|trátame de|tráteme de",
  "háblame de (?:tú|usted)|dammi del (?:tu|lei)|diamoci del tu|dare? del tu|me tra(?:te|ta) por",
  "trat[ae]-me por|zeg (?:maar |gerust )?(?:je|jij|u)|tutoyeer|mów(?:my)? (?:do mnie|sobie) (?:na|po)",
  "обращай(?:ся|тесь) ко мне|говори(?:те)? мне (?:ты|вы)|давай на ты|fasse? dich (?:bitte )?(?:kurz|kürzer)",
  "halte? dich (?:bitte )?(?:kurz|kürzer)",
].join("|");

const ASK_FIRST = [
  "(?:ask|check with|consult) (?:me|for (?:my )?(?:permission|confirmation|approval))(?: first)?(?: before)",
  "ask (?:me )?(?:first|before) |frage? mich (?:immer |bitte )?(?:zuerst|erst|vorher|bevor)",
  "demande[zr]?-moi (?:toujours )?avant|pregúntame (?:siempre )?antes|chiedimi (?:sempre )?prima",
  "me pergunte (?:sempre )?antes|pergunte-me antes|vraag (?:het )?me (?:altijd )?(?:eerst|voordat)",
  "pytaj mnie|спрашивай(?:те)? меня",
].join("|");

const PRODUCTS = anyOf([
  "answers|replies|responses|explanations|outputs|summaries|antworten|erklärungen|zusammenfassungen",
  "réponses|explications|respuestas|explicaciones|risposte|spiegazioni|respostas|explicações|antwoorden",
  "odpowiedzi|ответы|ответах",
]);
const BE =
  "(?:(?:don['’]?t |do not |try to )?be|stay|sound|sei|seien sie|bleibe?|sois|soyez|reste|sé|sea|sii|sia|seja|sê|wees|bądź|будь(?:те)?) (?:\\p{L}+ ){1,4}?(?:(?:with|to|towards) me|mit mir|zu mir|avec moi|conmigo|con me|comigo|met mij|со мной|ze mną|(?:(?:in|dans|en|nelle|nas|nos|in den|w|в) (?:\\p{L}+ ){0,2}?" +
  `${PRODUCTS}))`;
/** Orders about the tone of answers, such as "be concise". */
const TONE = `${anyOf([
  "be (?:(?:more|less|very|a bit more) )?(?:concise|brief|succinct|terse|formal|informal|casual|polite|direct|blunt|professional|detailed|thorough)",
  "sei (?:bitte )?(?:knapp|direkt|höflich|förmlich|sachlich|kürzer)|sois (?:plus )?(?:brève?|bref|concise?|directe?|polie?)|sé (?:más )?(?:breve|concis[oa]|direct[oa]|formal)|sii (?:più )?(?:breve|concis[oa]|dirett[oa])|seja (?:mais )?(?:breve|concis[oa]|diret[oa])|wees (?:bondig|kort|direct)|bądź (?:zwięzł[ya]|uprzejm[ya])|будь(?:те)? (?:краток|кратк[аи]|кратким|вежлив[аы]?)",
])}(?=[.! ]*$|[,;] | (?:and|und|et|y|e|en|i|и|please|bitte) )`;
const DUTIES = anyOf([
  "should|must|shall|need to|have to|may|can|are to|sollen|sollten|müssen|dürfen|doivent|devraient|deben",
  "deberían|devono|dovrebbero|devem|deveriam|moeten|mogen|powinny|mają|muszą|должны",
]);
const YOUR = anyOf([
  "your|all(?: of)?(?: your)?|any of your|deine|alle(?: deine)?|ihre|tes|vos|toutes (?:les|tes|vos)|tus|sus",
  "todas (?:las|tus)|le tue|tutte le(?: tue)?|(?:as )?(?:suas|tuas)|todas as(?: suas)?|je|jouw|al je|twoje",
  "твои|ваши|все(?: твои)?",
]);

const MANNER = matchStart(
  `(?:${NO})[ ,]?(?:the |any |all |using |your |those |these |so many |so much |les |des |los |las |le |gli |os |as |de |alle )?${LITTLE}${UNWANTED}${NO_VERB}`,
  `(?:${STOPPING})(?!\\p{L})`,
  `(?:${ANSWER})[ ,-]${TO_ME}(?:only |just |nur |solo )?(?:in|like|auf|en|em|in het|as|using|na)? ?(?:${valuesOf("language")}|${LIKE})(?!\\p{L})`,
  `(?:${USE}) (?:only |just |always |nur |solo )?(?:${STYLE})(?!\\p{L})`,
  `(?:write|format|give|show|express|state|quote|list|indent) ${VALUES} (?:as|in|with|without|using|like|by|to|including|excluding) `,
  `(?:${ADDRESS})(?!\\p{L})`,
  `(?:${ASK_FIRST})`,
  "treat me (?:as|like)|assume (?:that )?i(?:['’]m| am| know| have| use| live| own)|spell my name|behandle mich (?:als|wie)|traite-moi comme|trátame como|trattami come|me trate como|behandel me als|traktuj mnie jak",
  `${BE}(?!\\p{L})`,
  TONE,
  "default to \\p{L}",
);
/** Rules such as "your answers must…" or "code should always…". */
const ANSWERS_MUST = matchStart(
  `(?:${YOUR} (?:\\p{L}+ )?)?${PRODUCTS} (?:\\p{L}+ ){0,2}?${DUTIES}(?!\\p{L})`,
  `(?:all |any )?(?:\\p{L}+ )?(?:code|examples|snippets|tables|lists|charts|diagrams|dates|prices|numbers|times|temperatures|recipes|plans|estimates|suggestions|recommendations|translations|links|sources|citations) (?:should|must|need to|have to) (?:always|never) `,
  `(?:each|every|any) (?:of your )?(?:\\p{L}+ )?(?:answers?|repl(?:y|ies)|response|explanation|summary|email|output) (?:should|must|needs to|has to)(?! be taken)(?!\\p{L})`,
  `all (?:\\p{L}+ )?(?:dates|prices|numbers|times|temperatures|distances|amounts|measurements|currencies) should be(?!\\p{L})`,
  `(?:all )?(?:dates|prices|times|temperatures|distances|amounts|measurements|weights) (?:only )?in (?:\\p{L}+ )?(?:${["temperature", "measure", "currency", "clock"].map(valuesOf).join("|")}),? please[.! ]*$`,
);

const GIVE_IN_UNITS = matchStart(
  "(?:use|give|show|quote|state|express|report|display|list|measure|gib|geben sie|zeige?|nenne|verwende|benutze|nutze|rechne|donne[zr]?|indique[zr]?|affiche[zr]?|utilise[zr]?|exprime[zr]?|da|dé|muestra|indica|usa|utiliza|expresa|dai|mostra|indicami|utilizza|esprimi|dê|mostre|indique|use|geef|toon|gebruik|vermeld|podawaj|używaj|pokazuj|указывай(?:те)?|показывай(?:те)?|используй(?:те)?|давай(?:те)?)(?!\\p{L})",
);
const UNIT = matchWords([`(?<!\\d ?)(?:${["temperature", "measure", "currency", "clock"].map(valuesOf).join("|")})`]);

/** The sentence is about one thing, or some things, of the present moment. */
const ONCE = matchWords([
  "this|that|these|those|it|here|today|tonight|tomorrow|again|one|two|three|four|five|\\d+ (?!hours?(?!\\p{L}))(?=\\p{L})|an?(?= )|(?:me|him|her|us|them) (?:the|an?|some|more)|the (?:price|temperature|distance|weight|amount|cost|total|result|answer|value|first|second|third|last|next|other|same)|(?:next|last) (?:one|time)",
  "dies\\p{L}{1,2}|jene\\p{L}?|hier|heute|morgen|noch ?mal|noch einmal|eine?[nmrs]?|(?:den|dem|das|der) (?=\\p{L})|ce|cet|cette|ces|ça|cela|ici|aujourd['’]hui|encore|une?|(?:moi|me) l[ea]|le (?=\\p{L})(?!système|tue)|la (?=\\p{L})",
  "est[eoa]s?|es[eoa]s?|aquí|hoy|otra vez|una?|el (?=\\p{L})(?!sistema)|quest[oaie]|quell[oaie]|qui|oggi|ancora|uno|il (?=\\p{L})(?!sistema)|iss?to|iss?o|ess[ea]s?|aqui|hoje|de novo|uma?|dit|deze|vandaag|nog eens|een|ten|tego|tę|tej|tym|dziś|этот|эта|эту|это|этого|этом|эти|здесь|сегодня|ещё раз|один|одну",
]);

/** Rules such as "I don't want emojis in your answers". */
const UNWELCOME = matchStart(`(?:${WANT_NONE}) ${LITTLE}${UNWANTED}`);
/** Rules such as "only recommend vegan restaurants". */
const ONLY = matchStart(
  "only (?:use|recommend|suggest|show|answer|reply|respond|give|write|speak|buy|book|cite|quote|offer|list|tell)(?! (?:the|this|that|these|those|it|me the|an?|\\d+|one|two|three)(?!\\p{L}))",
);

/** Whether a sentence is a rule for everything that the agent says. */
export function isRuleForAnswers(head: string): boolean {
  return ANSWERS_MUST.test(head) || UNWELCOME.test(head);
}

/** An order about the way the agent answers, given where `head` begins. */
export function isMannerOrder(head: string): boolean {
  if (MANNER.test(head) || ONLY.test(head)) return !IN_THIS_ONE.test(head);
  return GIVE_IN_UNITS.test(head) && UNIT.test(head) && !ONCE.test(head);
}

/** Words after an order about the manner that limit it to one thing, such as "in this text" or "here". */
const IN_THIS_ONE = matchWords([
  "(?:in|for|from|on|to|of|with|about|as) (?:this|that|these|those|the|it|my)(?! (?:future|rest|first|second|third|metric|imperial|si|british|american|following|conversation|chat|(?:first|last|full) name|name))|here|today|again|this|these|in dies\\p{L}{1,2}|für dies\\p{L}{1,2}|hier|dans (?:ce|cet|cette|ces)|pour (?:ce|cet|cette|ces)|ici|en est[eoa]s?|para est[eoa]s?|aquí|in quest[oaie]|per quest[oaie]|qui|n?ess?t?[ea]|aqui|in (?:dit|deze)|voor (?:dit|deze)|hier|в этом|для этого|здесь",
]);
