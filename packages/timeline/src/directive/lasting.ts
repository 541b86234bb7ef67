/** The words by which a clause says that it is permanent, in the languages that separate words. */
import { matchWords } from "./word-matcher.ts";

/** Words such as “from now on” and “until further notice”. */
const FROM_NOW = [
  "from now on(?:wards)?|from now forward|from here on(?: out| in)?|from this (?:point|moment|day|message) (?:on(?:wards?)?|forward)|from today(?: on)?|as of (?:now|today)|starting (?:now|today)|going forward|moving forward|henceforth|hereafter|until (?:i say otherwise|further notice|i tell you otherwise)|unless i (?:say|tell you|ask) otherwise|for the rest of (?:this|our|the) (?:conversation|chat|session|day|discussion)|throughout (?:this|our|the) (?:conversation|chat|session)|in future(?! (?:releases?|versions?|generations?|years?|days?|work|projects?|plans?))|(?:in|for|with) (?:all |any |every |each )?(?:your )?(?:future|following|further) (?:answers?|repl(?:y|ies)|responses?|messages?|emails?|code|summar(?:y|ies))|by default|under (?:any|no) circumstances|in (?:any|no) case|on no account|at no time|at all times|without exception|as a (?:general )?rule|no matter what(?: i say)?",
  "ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft|fortan|bis auf weiteres|auf keinen fall|unter keinen umständen|grundsätzlich",
  "à partir de (?:maintenant|cet instant|là)|dès (?:maintenant|à présent|aujourd['’]hui)|désormais|dorénavant|à l['’]avenir|par défaut|en aucun cas|sous aucun prétexte|jusqu['’]à nouvel ordre",
  "a partir de ahora|de ahora en adelante|desde ahora|de aquí en adelante|en adelante|en lo sucesivo|en el futuro|por defecto|bajo ninguna circunstancia|en ningún caso",
  "(?:d['’]|da )(?:ora|adesso) in (?:poi|avanti)|da adesso|in futuro|per impostazione predefinita|in nessun caso|per nessun motivo",
  "a partir de (?:agora|hoje)|de agora em diante|daqui (?:em diante|para a frente|pra frente)|doravante|no futuro|por padrão|em hipótese alguma|sob nenhuma circunstância",
  "vanaf (?:nu|vandaag)|voortaan|in het vervolg|van nu af aan|standaard|in geen geval|onder geen beding",
];
const SLAVIC_FROM_NOW = [
  "od (?:teraz|tej pory|dziś|dzisiaj)|odtąd|na przyszłość|domyślnie|pod żadnym pozorem|ни в коем случае|ни при каких обстоятельствах|с этого момента|отныне|впредь|в дальнейшем|с этих пор|по умолчанию|на будущее",
];

/** Words that say how often something happens. */
const OFTEN = [
  "always|never|immer|nie|niemals|stets|toujours|jamais|systématiquement|siempre|nunca|jamás|sempre|mai|mai più|altijd|nooit",
];
const SLAVIC_OFTEN = ["zawsze|nigdy|всегда|никогда"];

/** Words for "always" at the end of a clause, as in "Talk to me like a friend, always." */
const AT_LAST =
  /[,–—-] (?:always|ever|every time|no exceptions|immer|jedes mal|toujours|siempre|sempre|altijd|zawsze|всегда)[.! ]*$/u;

/** Words for "each time that something happens". */
const EACH_TIME = [
  "whenever|every ?time|each time|any ?time|immer,? wenn|immer dann,? wenn|jedes mal,? wenn|sooft|wann immer|(?:à )?chaque fois qu[e'’]|toutes les fois qu[e'’]|cada vez que|siempre que|ogni volta che|ogniqualvolta|tutte le volte che",
  "sempre que|toda vez que|telkens (?:als|wanneer)|elke keer (?:als|dat|wanneer)|altijd als|za każdym razem,? (?:gdy|kiedy)|ilekroć|zawsze,? (?:gdy|kiedy)|(?:каждый|всякий) раз,? когда|всегда,? когда",
];

/** Conditions about what the agent does, or about what the agent does not know. */
const WHEN_YOU = [
  "when (?:writing|coding|explaining|answering|replying|translating|summari[sz]ing|quoting|citing|formatting|discussing|giving|showing|recommending|suggesting|listing|presenting|describing)(?! (?:the|this|that|these|those|it|my)(?!\\p{L}))",
  "(?:if|when|whenever) (?:an?|any|something|someone|anything|there(?:['’]s| is) an?)",
  "(?:if|when|whenever|before|after|each time|every time)(?: ever)? you(?:['’]re| are)? (?:ever )?(?:not|unsure|uncertain|don['’]?t (?:know|understand|find|have (?:the|enough|any))|can['’]?t|cannot|quote|cite|use|write|change|edit|modify|delete|remove|run|send|mention|suggest|recommend|answer|reply|respond|give|show|explain|translate|make|create|generate|refer|list|add|summari[sz]e|book|buy|deploy|push|commit|see|notice|spot|find)",
  "(?:wenn|falls|bevor|sobald) du(?! (?:fertig|zeit|magst|willst|kannst|möchtest))|(?:si|quand|avant que) tu (?:n['’]es pas sûr|ne sais pas|ne comprends pas|cites|écris|modifies|proposes|utilises)|avant de|(?:si|cuando) no (?:estás segur[oa]|(?:lo )?sabes|entiendes)|antes de|(?:se|quando) non (?:sei sicur[oa]|(?:lo )?sai|capisci)|prima di",
  "(?:se|quando) (?:você )?não (?:souber|tiver certeza|sabe|entender)|(?:als|wanneer|voordat) je (?:iets )?(?:het )?niet|voordat je|(?:jeśli|gdy|kiedy) (?:czegoś )?nie (?:wiesz|jesteś pew\\p{L}+)|zanim|(?:если|когда) (?:ты )?(?:чего-то )?не (?:уверена?|знаешь|понимаешь)|прежде чем",
];

/** Conditions about the conversation that occur again and again, such as "if I ask", unlike "if I go to Rome". */
const WHEN_SAID = [
  "(?:when|if|once|where) (?:i|we)(?:['’]m|['’]re| am| are)? (?:(?:ever|also|just) )?(?:ask|request|say|mention|send|paste|share|upload|post|type|write|show|give you|tell you|talk|speak|discuss|chat|bring up|quote|want|need|make an? (?:\\p{L}+ )?(?:mistake|error|typo)|use the word|sound|seem|asking|talking|discussing|writing|speaking)\\p{L}{0,2}",
  "(?:wenn|falls|sobald) (?:ich|wir) (?:[^,.]{0,60} )?(?:frage|bitte|sage|schreibe?|schicke|sende|poste|teile|erwähne|reden|sprechen|diskutieren|einen fehler mache)|wenn es um",
  "(?:quand|lorsque|si|lorsqu['’]) ?(?:je |j['’]|nous |on )(?:te |vous |t['’])?(?:demande|envoie|écris|dis|pose|partage|parle|parlons|colle|mentionne|discut)\\p{L}*",
  "(?:cuando|si) (?:yo )?(?:te |le )?(?:pida|pido|pregunte|pregunto|mande|mando|envíe|envío|escriba|escribo|diga|digo|hable|hablo|hablemos|mencione|comparta|pegue)",
  "(?:quando|se) (?:io )?(?:ti )?(?:chiedo|domando|mando|invio|scrivo|dico|parlo|parliamo|incollo|condivido|menziono)",
  "(?:quando|se) (?:eu )?(?:te |lhe )?(?:pedir|perguntar|mandar|enviar|escrever|disser|falar|falarmos|colar|mencionar|compartilhar|peço|pergunto|mando)",
  "(?:als|wanneer) (?:ik|we) (?:[^,.]{0,60} )?(?:vraag|stuur|schrijf|zeg|noem|plak|deel|praten)",
  "(?:kiedy|gdy|jeśli|jeżeli) (?:cię |ci |o coś )?(?:pytam|proszę|piszę|wysyłam|mówię|zapytam|poproszę|wyślę|napiszę|rozmawiamy)",
  "(?:когда|если) (?:я|мы) (?:тебя |вас |тебе )?(?:спрашиваю|спрошу|прошу|попрошу|пишу|напишу|отправляю|присылаю|говорю|упоминаю|обсуждаем|говорим)",
];

/** Words that end a habit, after a forbidden verb. */
const NO_LONGER = [
  "anymore|any more|any longer|ever again|nicht mehr|keine? (?:\\p{L}+ )?mehr|nie wieder|plus|más|nunca más|più|mais|niet meer|geen (?:\\p{L}+ )?meer|więcej|больше",
];

/** Words for "in everything that the agent makes". */
const EVERYWHERE = [
  "(?:in|for|to|with|at the end of|at the start of|at the beginning of|after|before|of|on|under|limit|keep|start|begin|end|close|sign|write|format|phrase|draft) (?:every|each|all)(?: of)?(?: your| my| the)?(?: \\p{L}+)? ?(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|emails?|messages?|code|explanations?|examples?|translations?|texts?|posts?|functions?|scripts?)",
  "in (?:jeder|allen|jedem)(?: deiner| deinen)? (?:antwort(?:en)?|nachricht(?:en)?|mails?|code)|(?:dans|à) (?:chaque|toutes (?:les|tes|vos)) (?:réponses?|messages?|courriels?)|en (?:cada|todas (?:las|tus)|todos (?:los|tus)) (?:respuestas?|mensajes?|correos?)|in (?:ogni|tutte le(?: tue)?) (?:rispost[ae]|mail|messaggi\\p{L}*)|em (?:cada|todas as(?: suas)?) (?:respostas?|mensage\\p{L}+)|in (?:elk|elke|al je|alle) (?:antwoord(?:en)?|bericht(?:en)?)|w każdej odpowiedzi|we wszystkich odpowiedziach|в каждом ответе|во всех ответах",
];

const atStart = (words: RegExp) => new RegExp(`^(?:${words.source})`, "u");
const FROM = matchWords([...FROM_NOW, ...SLAVIC_FROM_NOW]);
const FREQUENCY = matchWords([...OFTEN, ...SLAVIC_OFTEN]);
const EACH = matchWords(EACH_TIME);
const SAID = matchWords([...WHEN_SAID, ...WHEN_YOU]);
const CONDITION = matchWords([
  "when|whenever|if|once|wenn|falls|sobald|quand|lorsque|si|cuando|quando|se|als|wanneer|kiedy|gdy|jeśli|jeżeli|когда|если",
]);

export const lasting = {
  from: FROM,
  fromAtStart: atStart(FROM),
  /** "In the future, include tests", but not "what I will do in the future". */
  futureAtStart: /^in the future(?![a-z])/u,
  often: FREQUENCY,
  oftenAtStart: atStart(FREQUENCY),
  atLast: AT_LAST,
  each: EACH,
  eachAtStart: atStart(EACH),
  whenSaidAtStart: atStart(SAID),
  /** Conditions before an order. After an order, "if" may introduce a question: "Tell me if I ask too much". */
  whenSaid: SAID,
  conditionAtStart: atStart(CONDITION),
  everywhere: matchWords(EVERYWHERE),
  /** "In every answer, …", but not "Limit all answers". */
  everywhereAtStart: new RegExp(
    `^(?!(?:limit|keep|start|begin|end|close|sign|write|format|phrase|draft) )(?:${matchWords(EVERYWHERE).source})`,
    "u",
  ),
  noLonger: matchWords(NO_LONGER),
  slavic: matchWords([...SLAVIC_FROM_NOW, ...SLAVIC_OFTEN]),
} as const;
