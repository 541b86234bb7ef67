/**
 * The forms of requests that the offline model understands, in English, German and French. They are compared with the
 * message without accents. A group that is captured always reaches to the end of the message.
 */
import type { DocumentFormat } from "./phrases/phrases.ts";

export const REMEMBER: readonly RegExp[] = [
  /^(?:s'il (?:te|vous) plait,? )?(?:retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|note[zr]?|n'oublie[z]? pas|memorise)(?: bien)?(?: que\s+| qu'|\s*[:,]\s*)(\S[\s\S]*)$/i,
  /^(?:bitte )?(?:merke? (?:dir|es dir)|notiere?(?: dir)?|denke? daran|vergiss nicht|behalte)(?: bitte)?[,:]?(?: dass\b)?\s+(\S[\s\S]*)$/i,
  /^(?:please )?(?:remember|note|keep in mind|don'?t forget)(?: down)?(?: that|:|,)?\s+(\S[\s\S]*)$/i,
];

const KIND =
  "(?:pdfs?|docx|pptx|png|word(?:-dokument)?|power ?point|slides?|folien|diapositives|diapos|presentation|prasentation|picture|image|bild)";

/** Words that ask for a report or a document, and words that introduce its topic, for each language. */
export const DOCUMENTS: readonly { readonly report: RegExp; readonly making: RegExp; readonly topic: RegExp }[] = [
  {
    report:
      /\b(?:write|draft|create|prepare|compose|make|produce)\b[^.?!\n]{0,60}\b(?:report|summary|memo|document|article|brief|overview|essay|paper|file)\b/i,
    making: making("make|turn|convert|render|export|save|give|put|create|produce|write|want"),
    topic: /\b(?:about|on|of|for|regarding|summari[sz]ing|describing)\s+(\S[\s\S]*)$/i,
  },
  {
    report:
      /\b(?:schreibe?|verfasse|erstelle?|mache?)\b[^.?!\n]{0,60}\b(?:bericht|zusammenfassung|memo|dokument|artikel|uberblick|aufsatz|datei)\b/i,
    making: making("mache?|wandle|verwandle|exportiere|speichere?|gib|erstelle?|schreibe?"),
    topic: /\b(?:uber|zum thema|zum|zur|zu|von|vom|betreffend)\s+(\S[\s\S]*)$/i,
  },
  {
    report:
      /\b(?:ecri(?:s|re|vez)|redige[zr]?|fais|faites|prepare[zr]?|cree[zr]?)\b[^.?!\n]{0,60}\b(?:rapport|resume|memo|document|article|apercu|essai|fichier)\b/i,
    making: making(
      "fais|faites|transforme[zr]?|convertis|exporte[zr]?|enregistre[zr]?|donne[zr]?(?:-moi)?|cree[zr]?|ecris",
    ),
    topic: /\b(?:sur|a propos d[eu]|au sujet d[eu]|concernant|de|du|des)\s+(\S[\s\S]*)$/i,
  },
];

/** A request for a new text, and not for another form of an old one. */
export const NEW_TEXT = /^(?:write|draft|compose|schreib|verfass|ecri|redig)/i;

const JOINING = String.raw`(?:\s|,|and|or|an?|as|in|to|too|also|please|file|files|document|documents|format|und|oder|eine?n?|als|datei|dokument|bitte|auch|et|ou|une?|en|comme|fichier|aussi)`;

export const FORMATS: readonly (readonly [DocumentFormat, RegExp])[] = [
  ["pdf", /\bpdfs?\b/i],
  [
    "docx",
    /\bdocx\b|\b(?:ms |microsoft )?word[ -](?:document|file|dokument|datei)\b|\b(?:as|in|to|for|into|and|a|als|und|en|document|fichier) word\b/i,
  ],
  ["pptx", /\bpptx\b|\bpower ?point\b|\bslides?\b|\bpresentation\b|\bprasentation\b|\bfolien\b|\bdiapos(?:itives)?\b/i],
  ["png", /\bpng\b|\b(?:as|into|to|make) (?:an?|one) (?:picture|image)\b|\bals bild\b|\b(?:en|comme) image\b/i],
];

function making(verbs: string): RegExp {
  return new RegExp(String.raw`\b(?:${verbs})\b[^.?!\n]{0,80}\b${KIND}\b`, "i");
}

/** Words at the end that name only the format, not the topic: `… as a PDF and as slides`. */
export const FORM = new RegExp(
  String.raw`[\s,;:]+(?:and |then |und |et )*(?:(?:please )?(?:render|save|export|make|turn)(?:ed)? (?:it |that |this )?)?(?:as|in|into|to|als|en|comme)\s+(?:${JOINING}|\b${KIND}\b)+$`,
  "i",
);
/** Forms of a message that asks only for another format, such as `now as slides`. */
export const AS_WELL = new RegExp(
  String.raw`^(?:(?:and|now|then|also|please|the same|again|und|jetzt|nun|dann|bitte|et|maintenant|puis)[\s,]+)*(?:as|in|into|to|als|en|comme)\s+(?:${JOINING}|\b${KIND}\b)+[.!?]*$`,
  "i",
);
export const IS_KIND = new RegExp(String.raw`\b${KIND}\b`, "i");
export const POINTED_AT =
  /^(?:it|this|that|them|(?:the|your|my|last) (?:report|answer|file|document|text|reply|summary)|es|das|dies(?:e[nmrs]?)?|(?:de[nmr]|die|das|dein\w*|mein\w*) (?:bericht|antwort|datei|dokument|text|zusammenfassung)|ca|cela|ceci|(?:ce|cette|la|le|ma|ta|mon|ton) (?:rapport|reponse|fichier|document|texte|resume)|rapport)\b/i;

export const IDENTITY: readonly RegExp[] = [
  /\b(?:quien eres|que puedes hacer|chi sei|che cosa puoi fare|quem e voce|wie ben (?:je|jij)|wat kun je)\b/i,
  /^(?:so )?(?:what can i (?:do|ask|say)(?: (?:here|you|now|with (?:you|this|cairn)))*|(?:can|could|will) you help(?: me)?|how can you help(?: me)?|what (?:can|could|do) you (?:help(?: me)?(?: with)?|do for me)|i need help|tell me about yourself|who (?:made|built|created|wrote) you|how does this work|what is this)\s*[?.!]*$/i,
  /^(?:was kann ich (?:hier )?(?:tun|machen|fragen)|kannst du mir (?:[^?\n]{1,40} )?helfen|wie kannst du mir helfen|ich brauche hilfe|erzahl mir (?:etwas )?uber dich|wer hat dich (?:gemacht|gebaut)|wie funktioniert das)\s*[?.!]*$/i,
  /^(?:que puis-je (?:faire|demander)(?: ici)?|peux-tu m'aider|comment peux-tu m'aider|j'ai besoin d'aide|parle-moi de toi|qui t'a (?:fait|cree)|comment ca marche)\s*[?.!]*$/i,
  /\b(?:who|what) are you\b|\bwhat can you do\b|\bwhat (?:kind of |sort of )?(?:model|ai|llm) (?:are you|is this)\b|^help\b[.!?]*$|\bare you (?:a |an )?(?:real |offline )?(?:ai|model|llm|bot)\b/i,
  /\bw(?:er|as) bist du\b|\bwas kannst du\b|\bwer sind sie\b|^hilfe\b[.!?]*$|\bbist du (?:eine? )?(?:echte[rs]? )?(?:ki|modell|bot)\b/i,
  /\bqui es[ -]tu\b|\bqui etes[ -]vous\b|\btu es qui\b|\bque (?:sais|peux)[ -]tu faire\b|\bqu'est-ce que tu (?:sais|peux) faire\b|^aide\b[.!?]*$|\bes[ -]tu une? (?:ia|modele|robot|bot)\b/i,
];

/** Asks how to use a language model instead. */
export const MODEL_SETUP: readonly RegExp[] = [
  /^(?:how (?:do|can|could|would) (?:i|we|you)|can (?:i|we|you)|could (?:i|we)|does (?:it|cairn|this)|(?:kann|konnen) (?:ich|wir|man)|wie (?:benutze|verwende|nutze|verbinde) ich|geht|(?:puis-je|peut-on|comment)(?: utiliser)?)\b[^?.!\n]{0,40}\b(?:gpt|chatgpt|claude|gemini|mistral|llama|ollama|lm ?studio|openai|anthropic|local (?:ai |language )?models?|lokale[sn]? (?:sprach)?modelle?|modeles? loca(?:l|ux))\b[^?.!\n]{0,20}[?.!]*$/i,
  /^(?:so |and )?(?:how (?:do|can|could|would) (?:i|we|you) (?:set ?up|use|connect|configure|add|start|get|choose|enable|switch to|talk to)|(?:which|what)) (?:an? |the |another |my )?(?:(?:real|language|other|different|better|actual|proper) )*(?:models?|llms?|api keys?)(?: (?:can|could|may|do|should) (?:i|we|you) (?:use|have|connect|choose|support)| (?:are|is) (?:there|available|supported))?(?: (?:instead|here|with (?:you|cairn|this)))*\s*[?.!]*$/i,
  /^(?:und )?(?:wie (?:richte|benutze|verwende|nutze|verbinde|bekomme|wahle) ich (?:ein(?:en?)? )?(?:(?:echte[sn]?|richtige[sn]?|andere[sn]?) )*(?:sprach)?(?:modelle?|llm|api-schlussel)(?: ein)?|welche (?:sprach)?modelle (?:kann ich (?:benutzen|verwenden|nutzen)|gibt es|hast du))\s*[?.!]*$/i,
  /^(?:et )?(?:comment (?:utiliser|configurer|installer|brancher|connecter|choisir) (?:un |le )?(?:vrai |autre )*(?:modele(?: de langage)?|llm)|quels modeles (?:puis-je|peut-on|est-ce que je peux) utiliser)\s*[?.!]*$/i,
];

/** Asks what it costs to use the model. */
export const COST: readonly RegExp[] = [
  /^(?:so |and )?(?:how much (?:does|did|do|will) (?:it|this|that|cairn|this conversation|i|we)(?: all)? (?:cost|spend|pay)(?: me)?(?: so far)?|what (?:does|did|will|has) (?:it|this|that|cairn|this conversation|the conversation|this answer|the last answer)(?: all)? cost(?: me)?(?: so far)?|how much (?:have i spent|did i spend)(?: so far| today)?|how many tokens (?:did|have|does|do|was|were|are) [^?\n]{1,40}|is (?:it|this|cairn) free(?: of charge)?)\s*[?.!]*$/i,
  /^(?:und )?(?:was (?:kostet|hat) (?:das|cairn|es|dieses gesprach|die antwort)(?: bisher)?(?: gekostet)?|wie ?viel (?:kostet|hat) (?:das|cairn|es|dieses gesprach)(?: bisher)?(?: gekostet)?|ist (?:das|cairn|es) (?:kostenlos|gratis)|wie ?viele tokens? (?:hast|hat|haben|wurden) [^?\n]{1,40})\s*[?.!]*$/i,
  /^(?:et )?(?:combien (?:ca|cela|cairn) (?:coute|a coute)(?:-t-il)?|combien coute (?:cairn|cela|cette conversation)|est-ce (?:que c'est )?gratuit)\s*[?.!]*$/i,
];

/** Asks for the date or the time. */
export const NOW: readonly RegExp[] = [
  /^(?:(?:can you )?tell me )?(?:what(?:'s| is)? (?:day|date|time|today's date|the (?:date|time|day))(?: is (?:it|today))?|what(?:'s| is) today)(?: (?:today|now|right now|is it))*\s*[?.!]*$/i,
  /^(?:wie spat ist es|wie viel uhr ist es|welche[rs]? (?:tag|datum) (?:ist|haben wir)|welchen tag haben wir|was ist heute fur ein tag)(?: (?:heute|jetzt|gerade))*\s*[?.!]*$/i,
  /^(?:quelle heure est-il|quel jour (?:sommes-nous|est-on|est-ce)|quelle est la date|on est quel jour)(?: (?:aujourd'hui|maintenant))*\s*[?.!]*$/i,
];

/** A statement of users about themselves, which is a note. */
export const ABOUT_ME: readonly RegExp[] = [
  /^(?:my (?!(?:question|problem|point)\b)[^?!\n]{1,60}? (?:is|are) \S|i(?: am|'m) (?!looking|trying|asking|searching|interested|wondering|not sure|confused|here|done|back)\S|i (?:live|work|prefer|speak|was born|come from)\b|call me \S)[^?\n]{0,160}$/i,
  /^(?:ich heisse|ich heiße|ich bin (?!nicht sicher|fertig)|ich wohne|ich arbeite|ich bevorzuge|ich komme aus|mein[e]? [^?!\n]{1,60}? (?:ist|sind) )[^?\n]{1,160}$/i,
  /^(?:je m'appelle |je suis (?!perdu|sur de)|j'habite |je travaille |je prefere |je viens de |m(?:on|a|es) [^?!\n]{1,60}? (?:est|sont) )[^?\n]{1,160}$/i,
];

/** A rule for every answer, which the timeline keeps as a standing order. */
export const RULE: readonly RegExp[] = [
  /^(?:please,? )?(?:always|never|from now on,?) (?:answer|reply|respond|write|speak|use|keep|give|include|cite|quote|be|explain|format|address|call|mention|round|translate)\b[^?\n]{2,200}$/i,
  /^(?:bitte )?(?:antworte|schreibe?|sprich|verwende|benutze|nenne?) (?:mir |mich )?(?:bitte )?(?:immer|nie|niemals|ab jetzt|von nun an)\b[^?\n]{2,200}$/i,
  /^(?:s'il te plait,? )?(?:reponds|repondez|ecris|ecrivez|parle|parlez|utilise[rz]?)(?:-moi)? (?:toujours|desormais)\b[^?\n]{2,200}$/i,
];

/** Asks to end or correct a note. */
export const FORGET: readonly RegExp[] = [
  /^(?:please |now |ok,? |can you |could you )*(?:forget\b|(?:delete|remove|clear|change|correct) (?:the|that|this|my|your|all|a) (?:notes?|memory|memories)\b)/i,
  /^(?:bitte )?(?:vergiss (?!nicht)|(?:losche|entferne|andere|korrigiere) (?:die|das|diese|meine|deine|alle) (?:notiz|notizen|gedachtnis))/i,
  /^(?:s'il te plait,? )?(?:oublie[zr]? (?!pas)|(?:supprime|efface|corrige)[rz]? (?:la|les|cette|ma|mes|ta|tes) (?:note|notes|memoire))/i,
];

/** A reply that asks for nothing. */
export const REPLY =
  /^(?:here(?:'s| is| are) (?:an?|the|my|your|some|two) \w+(?: \w+)?[\s.!]*$|hier (?:ist|sind) (?:die|der|das|eine?|meine?) \w+[\s.!]*$|voici (?:le|la|les|un|une|mon|ma) \w+[\s.!]*$|(?:ok|okay|yes|yep|no|nope|great|cool|nice|good|fine|super|perfect|alright|hm+|aha|why|really|ja|nein|gut|prima|toll|genau|oui|non|bien|d'accord|parfait|genial|voila)[\s,.!?]*){1,3}$/i;

export const GREETING: readonly RegExp[] = [
  /^(?:hola|buenos dias|buenas tardes|ciao|buongiorno|buonasera|ola|bom dia|boa tarde|hoi)\b[^?]{0,30}$/i,
  /^(?:hello|hi|hey|good (?:morning|afternoon|evening))\b[^?]{0,30}$/i,
  /^(?:hallo|moin|servus|guten (?:tag|morgen|abend)|gru(?:ss|ß) (?:gott|dich))\b[^?]{0,30}$/i,
  /^(?:bonjour|bonsoir|salut|coucou)\b[^?]{0,30}$/i,
];

const PRAISE = String.raw`^(?:(?:ok|okay|great|perfect|cool|nice|super|wow|good|excellent|wonderful|alright|all right|many|prima|toll|gut|parfait|genial|mille)\b[\s,.!]*){0,3}`;
const THANKS = String.raw`(?:thanks|thank you|thx|cheers|much appreciated|(?:vielen |herzlichen |besten |lieben |tausend )?dank(?:e|eschon)?|mercis?|je (?:te|vous) remercie|(?:muchas )?gracias|grazie(?: mille)?|(?:muito )?obrigad[oa]|bedankt|dank je(?: wel)?)\b`;
export const THANKING = new RegExp(
  String.raw`${PRAISE}${THANKS}[^?,;:.!\n]{0,40}(?:[,.!]\s*(?:that|this|it|das|c'est|ca)\b[^?,;:.!\n]{0,40})?[^\p{L}\p{N}?]*$`,
  "iu",
);

/** Asks what the user said at all, without naming a topic. */
export const RECALL: readonly RegExp[] = [
  /^(?:(?:please |can you |could you )*(?:tell me|remember|repeat) )?what (?:(?:did|have) i (?:just |first |last )?(?:ask|say|write|tell|said|told|written)(?:ed)?(?: you)?|(?:was|were|is|are) my (?:(?:very )?(?:first|last|previous|earlier) )?(?:questions?|messages?|requests?))(?: (?:you|first|last|before(?: that)?|earlier|just now|so far|until now|at first|(?:at|in) the (?:beginning|start)))*\s*[?.!]*$/i,
  /^was (?:habe? ich (?:dich |dir )?(?:(?:zuerst|als erstes|zuletzt|gerade|eben|vorher|davor|bisher|am anfang) )*(?:gefragt|gesagt|geschrieben)|(?:war|waren) meine (?:(?:aller)?(?:erste|letzte|vorige|vorherige)n? )?(?:fragen?|nachrichten?)(?: bisher)?)\s*[?.!]*$/i,
  /^(?:qu'ai-je|qu'est-ce que (?:je t'ai|j'ai)) (?:demande|dit|ecrit)(?: (?:en premier|d'abord|avant|juste avant|au debut|jusqu'ici|a l'instant))*\s*[?.!]*$|^quelles? (?:etait|etaient|est|sont) m(?:a|es) (?:(?:toute )?(?:premieres?|dernieres?|precedentes?) )?(?:questions?|messages?)(?: jusqu'ici)?\s*[?.!]*$/i,
];

export const SEARCH: readonly RegExp[] = [
  /^(?:please |can you |could you )?(?:search|look up|look for|research|google|find out)(?: the (?:web|library|corpus|internet))?(?: for| about| on)?:?\s+(\S[\s\S]*)$/i,
  /^(?:bitte |kannst du |konntest du )*(?:suche?|recherchiere|google|finde heraus|schlage? nach)(?: (?:bitte|mal|im (?:netz|internet|web)|in der bibliothek))*(?: nach| uber| zu)?:?\s+(\S[\s\S]*)$/i,
  /^(?:s'il te plait,? |peux-tu |pouvez-vous )*(?:re)?cherche[rz]?(?: (?:sur (?:le web|internet)|dans la bibliotheque))*(?: des informations)?(?: sur)?(?: :|:)?\s+(\S[\s\S]*)$/i,
];

/** Asks what a text is about. This form is compared with the message as it was written, with accents. */
export const GIST =
  /\bsumm?ari[sz]e\b|\bsummary\b|\boverview\b|\bgist\b|\btl;?dr\b|\bwhat(?:'s| is| are| does| do)\b[^?]{0,60}\b(?:about|in (?:it|this|that|these|the|here)|say)\b|\bdescribe\b|\bread (?:it|this|that|these|the)\b|\bzusammenfass|\bfasse?\b[^?]{0,60}\bzusammen\b|\bworum geht\b|\bwas steht in\b|\br[ée]sum[eé]|\bde quoi (?:parle|s.agit)/i;

/** Forms of a message that asks what the model knows about the user. */
export const KNOWN: readonly RegExp[] = [
  /^(?:so |and )?(?:(?:tell me )?what (?:all )?(?:(?:do|did|have) )?you (?:know|remember|remembered|noted?|kept|keep|saved?|stored?|written down)(?: (?:about|of|on|for) me)?(?: so far)?|do you (?:know|remember) (?:anything|something) about me|what(?:'s| is| are) in your (?:notes|memory)|(?:show|list|tell|read)(?: me)?(?: all)?(?: of)? (?:your|my|the) (?:notes|memory|memories))\s*[?.!]*$/i,
  /^(?:und )?(?:was wei(?:ss|ß)t du (?:alles |schon )?(?:uber mich|von mir)|was hast du dir (?:alles |bisher |uber mich |von mir )*(?:gemerkt|notiert|aufgeschrieben)|woran erinnerst du dich|was steht in deinen notizen|(?:zeige?|liste|nenne?)(?: mir)?(?: alle)? (?:deine|meine|die) notizen)\s*[?.!]*$/i,
  /^(?:et )?(?:que (?:sais[ -]tu|savez[ -]vous) (?:de|sur) moi|qu'est-ce que tu (?:sais|as retenu|as note)(?: (?:de|sur) moi)?|(?:qu'as[ -]tu|qu'avez[ -]vous) (?:retenu|note)(?: (?:de|sur) moi)?|de quoi te souviens[ -]tu|(?:montre|liste|lis)(?:-moi)? (?:tes|mes|les) notes)\s*[?.!]*$/i,
];

/** Questions about one thing that the user may have said about themselves. */
export const MINE: readonly RegExp[] = [
  /^(?:(?:and|so|do you (?:know|remember)|can you tell me|tell me),? )*(?:(?:what|who|where|when|which)(?:'s| is| are| was) my (?!(?:first|last|previous|earlier|question|message)\b)[^?\n,;:]{1,40}|what my [^?\n]{1,30} (?:is|are)|where (?:do i|i) (?:live|work|come from)|who (?:am i|i am)|what (?:do i|i) (?:like|prefer|eat|drink|do)|how old am i|(?:what )?am i [^?\n]{1,40})\s*[?.!]*$/i,
  /^(?:(?:und|weißt du|weisst du),? )*(?:(?:was|wer|wo|wann|wie) (?:ist|sind|heisst|heißt|lautet) mein[e]? (?!(?:erste|letzte|vorige)n? )[^?\n,;:]{1,40}|wie (?:heisse|heiße) ich|wie ich (?:heisse|heiße)|wo (?:wohne|arbeite|lebe) ich|(?:wer|was|wogegen|wie) bin ich[^?\n]{0,40}|was (?:mag|esse|trinke) ich|wie alt bin ich)\s*[?.!]*$/i,
  /^(?:(?:et|sais-tu),? )*(?:(?:quel(?:le)?s?|qui|ou|quand) (?:est|sont|etait) m(?:on|a|es) (?!(?:premiere|derniere|question|message)s?\b)[^?\n,;:]{1,40}|comment (?:je )?m'appelle(?:-je)?|ou (?:j'habite|habite-je|est-ce que j'habite|je travaille)|qui suis-je|quel age ai-je)\s*[?.!]*$/i,
];

/** Asks for the differences of two files. */
export const COMPARE: readonly RegExp[] = [
  /^(?:(?:please|now|and|can you|could you),? )*(?:compare (?:these|those|the|both|two|them|my|\S+\.\w+)\b|diff (?:these|the|them|both)\b|(?:what|which)(?:'s| is| are)? (?:the )?(?:difference|differences|changes) (?:between|in)\b|what(?:'s| is| has)? (?:changed|different)(?: between [^?\n]{1,60}| in (?:the )?(?:second|new|other)[^?\n]{0,30})?\s*[?.!]*$|how do (?:they|these|the two)[^?\n]{0,20} differ\b)/i,
  /^(?:(?:bitte|jetzt|und|kannst du),? )*(?:vergleiche?\b|was ist der unterschied zwischen\b|was (?:unterscheidet|hat sich geandert)\b|welche unterschiede\b)/i,
  /^(?:(?:maintenant|et|peux-tu),? )*(?:compare[rz]?\b|quelles? (?:est|sont) l(?:a|es) differences? entre\b|qu'est-ce qui (?:a change|differe)\b)/i,
];

/** Forms of a message that asks which documents can be searched and read. */
export const LIBRARY: readonly RegExp[] = [
  /^(?:so |and )?(?:what(?:'s| is| do you have| have you got) in (?:the|your|this|my) (?:sample )?(?:library|corpus|collection)|(?:which|what) (?:documents|files|sources|books|texts|titles) (?:do you have|have you got|do i have|are there|are (?:in the library|attached|available)|can you (?:search|read|see|use)|did i attach)|(?:list|show)(?: me)?(?: all)? (?:the |your |my )?(?:library|(?:documents|files|titles)(?: (?:in|of) the library)?)|where do you search)\s*[?.!]*$/i,
  /^(?:und )?(?:was (?:ist|steht|gibt es|hast du) (?:alles )?in (?:der|deiner|dieser|meiner) (?:bibliothek|sammlung)|welche (?:dokumente|dateien|quellen|bucher|texte|titel) (?:hast du|gibt es|kennst du|sind (?:da|angehangt|in der bibliothek)|kannst du (?:lesen|durchsuchen))|(?:zeige?|liste|nenne?)(?: mir)?(?: alle)? (?:deine |die |meine )?(?:bibliothek|dokumente|dateien|titel)|wo suchst du)\s*[?.!]*$/i,
  /^(?:et )?(?:qu'y a-t-il dans|que contient|qu'est-ce qu'il y a dans|que contient donc) (?:la|ta|votre|cette|ma) (?:bibliotheque|collection)\s*[?.!]*$|^quels (?:documents|fichiers|livres|textes|titres) (?:as[ -]tu|avez[ -]vous|y a-t-il|connais[ -]tu|sont joints|peux[ -]tu (?:lire|chercher))\s*[?.!]*$|^ou cherches[ -]tu\s*[?.!]*$/i,
];

/** Forms of a message that asks for a chart of a table. */
export const PLOT: readonly RegExp[] = [
  // Another form of a chart: "now as a line chart by date", "can you make it a pie chart?".
  /^(?:(?:please|can you|could you|now|and|ok|then|bitte|jetzt|und|kannst du|maintenant|et|peux-tu),? )*(?:(?:make|turn|change|draw|show|give|mache?|zeichne|zeige?|fais|dessine|montre)(?:-(?:le|en|moi))? (?:(?:it|that|this|me|the (?:chart|graph|bars?)|es|das|mir|daraus|ca|cela) )*)?(?:(?:as|into|to|in|als|en|comme|un|une) )*(?:(?:an?|the|eine?n?|une?) )*(?:(?:line|bar|pie|column|doughnut|donut)[ -]?(?:charts?|graphs?|plots?|diagrams?)|(?:linien|balken|saulen|kreis|torten)diagramm|camembert|(?:graphique|diagramme|courbe|histogramme)(?: (?:en|a) (?:barres|lignes|secteurs)| lineaire| circulaire)?)\b[^?.!\n]{0,60}[?.!]*$/i,
  /^(?:please |can you |could you |now |and )*(?:(?:plot|visuali[sz]e|graph|chart)\s+(?:this|that|it|the|my|these|those|them|all|\S{1,60}\.[ct]sv|\S{1,60} (?:by|over|against|vs))\b|(?:draw|make|create|show|give|produce|generate)\s+(?:(?:me|us|a|an|the|simple|nice|small|bar|line|column|svg|pie|area|scatter)\s+)*(?:chart|graph|plot|diagram|bar ?chart|line ?chart|pie ?chart|histogram)\b)/i,
  /^(?:bitte |jetzt |und )*(?:(?:plotte|visualisiere)\b|(?:zeichne|erstelle?|mache?|zeige?)\s+(?:(?:mir|ein|eine|einen|das|daraus|davon|bitte)\s+)*(?:\w{0,12}diagramm|grafik|plot|schaubild|kurve|chart)\b|kannst du [^.?!\n]{0,60}diagramm [^.?!\n]{0,40}(?:zeichnen|erstellen|machen)\b)/i,
  /^(?:s'il te plait,? |peux-tu |maintenant |et )*(?:trace|dessine|fais|cree|montre)[rz]?(?:-moi)?\s+(?:(?:un|une|le|la|moi)\s+)*(?:graphique|diagramme|courbe|histogramme|graphe)\b/i,
];
