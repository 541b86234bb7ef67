/**
 * The words that distinguish a permanent instruction from a sentence about the moment, in twelve languages.
 *
 * The tables hold everyday words. Languages are not detected: a word counts wherever it occurs, because a sentence in
 * one language rarely contains another's markers. Chinese, Japanese and Korean have lists of their own, because their
 * words are not set apart by spaces.
 */
import { matchWords, withLetters } from "./word-matcher.ts";

/** "Call me" followed by a name. Calls on the phone do not match: "Call me back at five", "Can you call me a taxi". */
export const CALL_ME =
  "(?<!(?:(?:he|she|they|who|people|friends|nobody|everyone|everybody|somebody|someone) (?:\\p{L}+ )?|(?<!you )(?:to|will|would)|(?:did|does|wo)n['’]t|['’](?:d|ll)) )call me(?! (?:back|again|later|tomorrow|today|tonight|soon|anytime|anyway|when|whenever|if|at|on|in|by|an?|about|for|up|over|from|before|after|as soon)(?!\\p{L})| ?[.!?]*$)";
export const I_GO_BY = "i go by(?! (?:the|foot|car|bus|bike|train|what)(?!\\p{L}))";
export const MY_NAME_IS = "my name(?: is|['’]s)(?! (?:on|in|at|not|under|listed|missing)(?!\\p{L}))";

/** Words that mark a sentence as lasting by themselves: names, preferences, and wishes about answers. */
const STANDING = [
  `${CALL_ME}|address me(?: as| by)|${I_GO_BY}|refer to (?:me|my \\p{L}+) as|${MY_NAME_IS}|my pronouns|my preferred|my preferences?(?: is| are| would be|:)`,
  "i(?:['’]\\p{L}+)? (?:(?!(?:they|he|she|you|we|who|people|if|whether)(?!\\p{L}))\\p{L}+ ){0,3}(?:prefer(?! you to)|favou?r|rather)|i(?:['’]ve| have) always preferred|i (?:always|never) (?:want|like|need) (?!to(?!\\p{L}))\\p{L}+|i never want to (?:see|hear|read)|i (?:want|need|expect) (?:all|every|each|only) [^.!?]{1,80} (?:from now on|going forward|moving forward|from here on(?: out)?)|we (?:(?:both|all|usually|generally|would|much) )?prefer|i (?:really )?(?:like|love|hate|dislike|don['’]?t like|do not like) it when",
  "i(?:['’]d| would)? (?:(?:don['’]?t|do not|only|really|just|always) ){0,2}(?:want|need|expect|(?<=['’]d (?:really )?|would (?:really )?)like) (?:(?!(?:the|these|those|to|some|more|you)(?!\\p{L}))\\p{L}+ ){1,2}(?:answers|replies|responses|explanations)|i like (?:my|your) (?:answers|replies|responses|explanations) (?:\\p{L}+ ){0,2}(?:short|long|brief|concise|detailed|simple|formal|informal|casual)",
  "nenne? mich|nennen sie mich|ich heiße|mein name ist|(?:ich|mir) (?:[^,.!?]{0,40} )?lieber|ich bevorzuge|ich mag (?:[^,.!?]{0,40} )?lieber|am liebsten (?:\\p{L}+ )ich|ich (?:\\p{L}+ ){1,2}am liebsten|ich (?:möchte|will|hätte gern\\p{L}?) (?:\\p{L}+ ){1,2}(?:antworten|erklärungen)",
  "appelle(?:z)?-moi|je m['’]appelle|mon nom est|je préfère|je préférerais|j['’]aime(?:rais)? mieux|je (?:veux|voudrais) (?:des|tes|vos) (?:\\p{L}+ )?(?:réponses|explications)",
  "llámame|llámeme|me llamo|mi nombre es|prefiero|preferiría|me gustan? más|(?:quiero|quisiera) (?:\\p{L}+ )?(?:respuestas|explicaciones)",
  "chiamami|mi chiamo|il mio nome è|preferisco|preferirei|mi piac(?:e|ciono) di più|voglio (?:\\p{L}+ )?(?:risposte|spiegazioni)",
  "chama-me|chame-me|me chame|o meu nome é|meu nome é|prefiro|preferia|preferiria|gosto mais|quero (?:\\p{L}+ )?(?:respostas|explicações)",
  "noem m(?:e|ij)|ik heet|mijn naam is|ik (?:[^,.!?]{0,40} )?liever|ik geef de voorkeur|ik wil (?:\\p{L}+ )?antwoorden",
  "mów mi|mów do mnie|nazywaj mnie|nazywam się|mam na imię|wolę|wolał(?:a)?bym|chcę (?:\\p{L}+ )?odpowiedzi",
  "называй(?:те)? меня|зови(?:те)? меня|меня зовут|(?:я )?предпочитаю|я бы предпоч(?:ёл|ел|ла)|мне больше нрав(?:и|я)тся",
];

/** Phrases that ask the agent to keep something in mind. */
const REMINDER = [
  "(?<=^|[,;:—–(] ?|please |and |but |also |just |must |should |so |always |pls )(?<!(?:i|you|we|to|they) (?:also |just |always )?)remember(?! when)|for future reference|keep in mind|bear in mind|(?:don['’]?t|do not) forget",
  "merke? dir|retiens que|retenez que|merken sie sich|denke? daran|vergiss nicht|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|n['’]oublie(?:z)? pas",
  "recuerda|recuerde|ten en cuenta|no olvides|ricordati|tieni presente|non dimenticare|lembra-te|lembre-se|onthoud|vergeet niet|pamiętaj",
  "запомни(?:те)?|помни(?:те)?|не забывай(?:те)?",
];
/** Something to be done once: "Remember to buy milk". */
const ERRAND = [
  "(?:remember|don['’]?t forget|do not forget) (?:to(?! (?:always|never)(?!\\p{L}))|the|my)|n['’]oublie(?:z)? pas d[e'’]|no olvides \\p{L}+r(?!\\p{L})|non dimenticare di|recuerda \\p{L}+r(?!\\p{L})|ricordati di|lembre-se de \\p{L}+r(?!\\p{L})",
];
const REMINDER_UNSPACED = ["记住|記住|请记得|請記得|覚えて(?:おいて|ください)|忘れないで|기억해|잊지 ?마"];

/** A preference about one thing, or no real one: "I prefer this one", "I'd rather not talk about it". */
const ASIDE = withLetters(
  "(?:rather|prefer)(?:red)? (?:[^.!?,]{0,40} )?(?:it|this|that|this one|that one|die|the (?:first|second|third|last|former|latter)(?: one)?)[.! ]*$|(?:prefiero|preferisco|prefiro) (?:este|esta|eso|esto|questo|questa|quello|este|esse|isso)[.! ]*$|je préfère (?:celui-ci|celle-ci|ça|cela)[.! ]*$|ich (?:bevorzuge|nehme lieber) (?:das|dieses?)[.! ]*$",
  "u",
);

/** Words before "always" that make it a statement: a subject, or a verb that no order has ("It is always"). */
const STATEMENT = [
  "i|we|he|she|it|they|you|this|that|there|the|an?|my|our|his|her|their|is|are|was|were|am|will|has|have|had|can|could|would|gets?|been|being|thanks",
  "ich|wir|er|sie|es|das|der|die|ist|sind|war|waren|bin|wird|werden|hat|haben|hatte|kann|man",
  "je|j|il|elle|on|nous|ils|elles|c|ce|ça|cela|est|sont|était|étaient|suis|a|ont|le|la|les",
  "yo|él|ella|ellos|es|son|está|están|era|fue|ha|han|he|el|lo|los|las|io|lui|lei|è|sono|ho|eu|ele|ela|é|são|foi|está",
  "ik|hij|zij|het|is|zijn|was|heeft|heb|ja|on|ona|jest|są|był|była|я|мы|он|она|они|это|был|была|были",
];

/** Words after "always" or "never" that give no order: "Always fun", "Never been there". */
const NO_ORDER = withLetters(
  "^\\s*(?:\\p{L}+(?:ing|ed|ly|[^su]s)|have i|been|ever|again|quite|enough|before|thought|heard|saw|felt|late|tired|busy|hungry|welcome|something|somebody|mine|yours|me|you|him|her|them|us|at|to|for|with|of|from|by|as|if|when|because|than|more|less|seen|done|an?|the|my|your|good|great|nice|fun|happy|glad|there|here|on|in|so|such|too|love|mind|gonna|gotta|know|knew|had|gut|schön|content|bien|bueno|bello|bom)(?!\\p{L})",
  "u",
);

/** Words of obligation. A sentence without a word of `PERSON` is taken for a clause of a quoted document. */
const DUTY = [
  "must|shall|may not|(?:is|are) (?:required|obliged|obligated)|agrees? to|undertakes?",
  "muss|müssen|darf|dürfen|soll|sollen|(?:ist|sind) verpflichtet|verpflichtet sich",
  "doit|doivent|devra|devront|ne peut|ne peuvent|est tenue?|sont tenue?s|s['’]engagent?",
  "debe|deben|deberán?|no podrán?|se obligan?|se comprometen?",
  "deve|devono|dovrà|dovranno|è tenut[oa]|si impegna(?:no)?|devem|deverão|deverá|obriga-se|compromete-se",
  "moet|moeten|dient|dienen|musi|muszą|powinien|powinna|zobowiązuje się",
  "должен|должна|должно|должны|обязан[аоы]?|обязуется|обязуются|вправе",
];
const DUTY_UNSPACED = [
  "应当|應當|必须|必須|不得|ものとする|なければならない|なければなりません|てはならない|てはなりません|해야 한다|하여야|할 수 없다",
];

/** Words for the speaker or the agent. A sentence with a word of `DUTY` is an order only if it has one of these words. */
const PERSON = [
  "i|me|my|mine|myself|you|your|yours|yourself|we|us|our|please|let['’]s",
  "ich|mich|mir|meine?[mnrs]?|du|dich|dir|deine?[mnrs]?|wir|uns|unsere?[mnrs]?|bitte",
  "je|j|me|moi|mon|mes|tu|toi|ton|tes|vous|votre|vos|nous|notre|nos",
  "yo|mi|mis|mí|tú|tus|ti|usted|ustedes|nosotros|nuestr[oa]s?|por favor",
  "io|mio|mia|miei|tuo|tua|tuoi|voi|vostr[oa]|noi|nostr[oa]|per favore",
  "eu|meu|minha|meus|minhas|teu|você|vocês|nós|noss[oa]s?",
  "ik|mij|mijn|jij|jou|jouw|wij|ons|onze|alsjeblieft|mnie|mój|moja|ty|ciebie|twój|proszę",
  "я|мне|меня|мой|моя|моё|мои|ты|тебе|тебя|твой|вы|вам|вас|ваш|мы|нам|нас|пожалуйста",
];
const PERSON_UNSPACED = [
  "我|你|您|请|請|私|僕|俺|あなた|ください|下さい|お願い|저는|제가|나는|내가|당신|너는|주세요|해 ?줘|부탁",
];

/** Words for what the agent makes, such as answers and files. */
const PRODUCT = [
  "answers?|repl(?:y|ies)|responses?|outputs?|explanations?|summar(?:y|ies)|antwort(?:en)?|erklärung(?:en)?|réponses?|respuestas?|rispost[ae]|respostas?|antwoord(?:en)?|odpowiedzi?|ответы?",
];
const PRODUCT_UNSPACED = ["回答|回复|回覆|答案|返答|답변|대답"];

/** An order about everything the agent will make: "Keep your answers short". */
const EVERY_PRODUCT = withLetters(
  "^(?:(?:please|bitte|por favor|per favore|and|also),? )?(?:(?:(?:don['’]?t|do not|never) )?(?:keep|make|write|give|format|end|start|begin|limit|structure|phrase|shorten)|halte?|schreibe?|formuliere|beginne|beende|begrenze|garde[zr]?|écris|rédige[zr]?|commence[zr]?|termine[zr]?|limite[zr]?|mantén|escribe|empieza|termina|limita|tieni|scrivi|inizia|mantém|escreve|mantenha|escreva|houd|schrijf)(?!\\p{L})(?! me the)[^.!?]{0,40}(?<!\\p{L})(?:answers|replies|responses|explanations|outputs|antworten|erklärungen|réponses|explications|respuestas|explicaciones|risposte|spiegazioni|respostas|antwoorden)(?!\\p{L})",
  "u",
);

/** Words of an instruction that can also concern only the present moment. */
const WEAK = [
  "i(?:['’]d| would)? (?:(?:really|also|just) )?(?:like|want|need|expect) you to|(?:when|if) (?:i|we) (?:ask|request)|ich (?:möchte|will),? dass du|du (?:sollst|musst|solltest|darfst)|(?:je veux|je voudrais|j['’]aimerais) que (?:tu|vous)|(?:tu|vous) (?:dois|devrais|devez|devriez)",
  "quiero que|me gustaría que|debes|deberías|tienes que|voglio che tu|vorrei che tu|devi|dovresti|quero que (?:tu|você)|gostaria que (?:tu|você)|deves|você deve|ik wil dat je|je moet|chcę,? żebyś|powinieneś|powinnaś|musisz|(?:я хочу|я бы хотела?),? чтобы (?:ты|вы)|ты должен|ты должна|вы должны",
  "you (?:should|must|shall|have to|need to|are to|ought)|important|don['’]?t|do not|make sure|ensure|be sure|prefer|avoid|should(?:n['’]t| not)?|must|no longer|i (?:(?:don['’]?t|do not|really) )?(?:like|love|enjoy|hate|dislike|can['’]t stand)",
  "whenever|every time|each time|in (?:all|every)|wichtig|vermeide|achte darauf|achten sie|sorge dafür|stelle sicher|nicht mehr|muss|ich mag|soll|jedes mal",
  "évite[rz]?|assure-toi|assurez-vous|veille[rz]? à|n['’]utilise(?:z)?|j['’]aime|doit|chaque fois|importante?|evita|evite|asegúrate|asegúrese|no uses|no utilices|me gusta|debe|cada vez",
  "assicurati|non usare|mi piace|deve|ogni volta|certifica-te|certifique-se|não uses?|gosto de|belangrijk|vermijd|zorg ervoor|moet|elke keer|ważne|unikaj|nie używaj|lubię",
  "важно|избегай(?:те)?|не используй(?:те)?|убедись|мне нравится|должен|должна|должны|каждый раз",
];
const WEAK_UNSPACED = [
  "我希望你|我要你|我想让你|你(?:应该|應該|必须|必須)|不要|别再|別再|避免|重要|尽量|盡量|必须|必須|我喜欢|我喜歡|每次|ないで|避けて|てほしい|て欲しい|毎回|중요|하지 ?마|피해|매번",
];

/** Words that limit a sentence to the present moment, whatever else it says. */
const MOMENT = [
  "this time|just this once|for now|for this (?:one|answer|reply|question|message)|diesmal|dieses mal|für jetzt|nur jetzt|cette fois|pour l['’]instant|esta vez|por ahora|questa volta|per ora|desta vez|por agora|deze keer|voor nu|tym razem|na razie|на этот раз|пока что",
];
const MOMENT_UNSPACED = ["这次|這次|这一次|今回(?:だけ)?は?|이번(?:만|에는)?"];

/** Phrases with which a question asks for something. */
const REQUEST = [
  "please|(?:can|could|would|will) you|kannst du|könntest du|können sie|könnten sie|bitte|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous",
  "puedes|podrías|por favor|puoi|potresti|per favore|podes|podias|você pode|kun je|zou je|możesz|proszę|можешь|можете|мог(?:ли)? бы|пожалуйста",
];
const REQUEST_UNSPACED = ["请|請|ください|もらえ|くれ|주세요|줄래|줘"];

/** An article at the beginning: the subject is neither the speaker nor the agent. */
const OTHER_SUBJECT = withLetters(
  "^(?:the|an?|neither|either|both|der|die|das|eine?|le|la|les|l['’]|une?|el|los|las|una?|il|lo|gli|um|uma|het|een)(?!\\p{L})",
  "u",
);

export const markers = {
  standing: matchWords(STANDING),
  reminder: matchWords(REMINDER, REMINDER_UNSPACED),
  statement: matchWords(STATEMENT),
  errand: matchWords(ERRAND),
  aside: ASIDE,
  duty: matchWords(DUTY, DUTY_UNSPACED),
  person: matchWords(PERSON, PERSON_UNSPACED),
  product: matchWords(PRODUCT, PRODUCT_UNSPACED),
  weak: matchWords(WEAK, WEAK_UNSPACED),
  moment: matchWords(MOMENT, MOMENT_UNSPACED),
  everyProduct: EVERY_PRODUCT,
  otherSubject: OTHER_SUBJECT,
  noOrder: NO_ORDER,
  request: matchWords(REQUEST, REQUEST_UNSPACED),
} as const;
