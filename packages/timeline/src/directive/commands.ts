/**
 * How a clause tells the agent to do something: what may stand before the verb, and the verbs an order begins with, in
 * languages with spaces between words.
 *
 * Imperatives are listed, because most languages cannot tell them from other forms: everyday verbs for what an agent
 * does. In Russian and Polish, imperatives are recognised by their endings.
 */
import { matchStart, matchWords } from "./word-matcher.ts";

/** Words before an order that say nothing about it. */
const FILLERS = [
  "please|pls|plz|kindly|just|also|and|but|so|then|now|ok|okay|hey|hi|hello|well|oh|yes|no(?=,)|again(?=,)|thanks|thank you|sorry|one more thing|by the way|btw|important|note|rule",
  "bitte|auch|und|aber|also|dann|nun|danke|wichtig|hallo|s['’]il (?:te|vous) plaît|merci|et|mais|alors|aussi|donc|por favor|gracias|y|pero|también|entonces|per favore|grazie|e|ma|anche|allora",
  "por favor|obrigad[oa]|mas|também|então|alsjeblieft|alstublieft|en|maar|ook|dan|graag|proszę|ale|też|пожалуйста|и|но|также|а",
];

/** Phrases that ask, tell or wish the agent to do what follows. */
const ASKS = [
  "(?:can|could|would|will) (?:you|u)(?: please| kindly| mind| try to)?|i(?:['’]d| would)? (?:(?:really|also|just|still) )?(?:like|want|need|expect|prefer) you to|(?:i(?:['’]d| would) (?:appreciate|love|like) it|it(?:['’]d| would) be (?:great|nice|good|better|best|helpful|lovely)) if you(?: would| could)?|(?:you (?:don['’]?t|do not) (?:need|have) to|(?:there is |there['’]s )?no need to)(?! worry)",
  "you(?:['’]re| are)? (?:(?:really|also|just|now|still) )?(?:should|must|shall|will|have to|need to|to|ought to|supposed to|are to)|make sure (?:to|that you|you)|be sure to|try to|let['’]s|feel free to",
  "kannst du|könntest du|können sie|könnten sie|würdest du|ich (?:möchte|will|wünsche mir|hätte gern),? dass (?:du|sie)|du (?:sollst|musst|solltest|kannst)|sie (?:sollen|müssen|sollten)|achte darauf,? dass du|stelle? sicher,? dass du|versuche?,",
  "peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|je (?:veux|voudrais|souhaite) que (?:tu|vous)|j['’]aimerais que (?:tu|vous)|(?:tu|vous) (?:dois|devrais|devez|devriez)|assure-toi de|assurez-vous de|veille[rz]? à|essaie de",
  "puedes|podrías|quiero que|me gustaría que|quisiera que|debes|deberías|tienes que|asegúrate de(?: que)?|asegúrese de(?: que)?|procura|puoi|potresti|voglio che tu|vorrei che tu|devi|dovresti|assicurati di|cerca di",
  "você pode|podes|poderias?|quero que (?:tu|você)|gostaria que (?:tu|você)|deves|você (?:deve|deveria|precisa|tem que)|tens (?:que|de)|certifique-se de|tente",
  "kun je|kunt u|zou je|wil je|ik wil(?: graag)? dat (?:je|u)|(?:je|u) (?:moet|zou moeten|dient)|zorg ervoor dat je|probeer",
  "możesz|czy możesz|chcę,? (?:że)?byś|chciał(?:a)?bym,? żebyś|musisz|powinieneś|powinnaś|staraj się|можешь|можете|не мог(?:ла|ли)? бы (?:ты|вы)|я хочу,? чтобы (?:ты|вы)|я бы хотела?,? чтобы (?:ты|вы)|ты (?:должен|должна)|вы должны|старайся|постарайся",
];

/** Phrases that forbid something; a prohibition is permanent. */
const FORBIDS = [
  "(?:don['’]?t|do not) (?:you )?ever",
  "you (?:may not|mustn['’]t|must not|shouldn['’]t|should not|shall not|can['’]t|cannot)|you(?:['’]re| are) (?:not (?:allowed|permitted|supposed) to|never to|not to|forbidden to)",
  "du (?:darfst|sollst|solltest) (?:\\p{L}+ ){0,3}(?:nicht|nie|niemals|kein\\p{L}{0,2})|tu ne dois|vous ne devez|no (?:debes|puedes)|non (?:devi|puoi)|não (?:deves|podes)|você não (?:deve|pode)|je mag (?:\\p{L}+ ){0,3}(?:niet|nooit|geen)|nie (?:wolno|możesz) ci|ты не должен|ты не должна|вы не должны|тебе нельзя",
];

/** Words that comfort instead of forbidding: "You shouldn't worry". */
const COMFORTS = matchWords([
  "worry|be (?:sad|sorry|afraid|mad|angry|shy|late)|panic|cry|sorgen|inquiète[rz]?|t['’]inquiète|te preocupes|preocuparte|preoccuparti|preoccupare|se preocupe|zorgen|martw\\p{L}*|волн\\p{L}+|пережива\\p{L}+|беспоко\\p{L}+",
]);

const IMPERATIVES = [
  "answer|reply|respond|write|speak|talk|use|give|show|tell|list|include|add|put|start|begin|open|end|finish|close|make|keep|explain|provide|ask|mention|remind|avoid|skip|stop|quit|do|don['’]?t|be|stay|cite|quote|format|round|convert|state|name|call|address|refer|treat|assume|pretend",
  "translate|summari[sz]e|check|double-check|verify|point|prefix|mark|label|sort|order|group|limit|shorten|spell|say|describe|suggest|recommend|offer|focus|stick|leave|omit|drop|ignore|replace|prefer|follow|structure|phrase|highlight|number|capitali[sz]e|indent|comment|document|test|run|commit|push|wait|confirm|let",
  "get|take|try|think|act|play|behave|send|save|store|book|delete|create|generate|draft|propose|present|express|measure|count|calculate|compute|compare|link|attach|repeat|continue|turn|switch|set|help|look|find|search|read|correct|warn|alert|notify|log|report|track|review|sign|bring|go|guess|lie|invent|share|discuss|order|pick|choose|deploy|merge|rename|move|remove|edit|change|update|insert|return|throw|print|import|ensure|emphasi[sz]e|consider|organi[sz]e|break|outline|clarify|specify|identify|detail|illustrate|separate|prioriti[sz]e|tailor|adapt|adjust|maintain|handle|display|render|wrap|split|combine|feature|reference|justify|back",
  "antworte|antworten sie|schreibe?|sprich|rede|verwende|benutze?|nutze?|gib|geben sie|zeige?|sage?|nenne?|liste|füge?|setze?|beginne?|starte|beende|mache?|halte?|erkläre?|frage?|erwähne?|erinnere?|vermeide|lasse?|höre?|sei|bleibe?|zitiere?|formatiere?|runde|rechne|prüfe|überprüfe|kürze|fasse?|beschreibe?|schlage?|stelle?|bezeichne|behandle|nimm|lies|denke?|hilf|duze|sieze|verzichte|übersetze?|ergänze|hebe|achte|rate|erfinde|lösche?|führe?|sende|ignoriere",
  "réponds|répondez|écris|écrivez|parle|parlez|utilise[zr]?|emploie|employez|donne[zr]?|montre[zr]?|dis|dites|liste[zr]?|ajoute[zr]?|mets|mettez|commence[zr]?|termine[zr]?|finis|fais|faites|garde[zr]?|explique[zr]?|demande[zr]?|mentionne[zr]?|rappelle[zr]?|évite[zr]?|arrête[zr]?|cesse[zr]?|sois|soyez|cite[zr]?|indique[zr]?|précise[zr]?|convertis|arrondis|vérifie[zr]?|résume[zr]?|limite[zr]?|propose[zr]?|traite[zr]?|oublie[zr]?|appelle[zr]?|tutoie|vouvoie|vouvoyez|tutoyez|ne(?= )",
  "responde|responda|contesta|conteste|escribe|escriba|habla|hable|usa|use|utiliza|utilice|da|dé|dame|muestra|muestre|di|diga|dime|incluye|incluya|añade|añada|agrega|agregue|pon|ponga|empieza|empiece|comienza|comience|termina|termine|haz|haga|mantén|mantenga|explica|explique|pregunta|pregunte|menciona|mencione|evita|evite|deja|deje|sé|sea|cita|cite|indica|indique|redondea|revisa|revise|comprueba|resume|limita|propón|trata|trate|llámame|llámeme",
  "uses|utilices|respondas|escribas|hables|des|muestres|digas|incluyas|pongas|empieces|termines|hagas|expliques|preguntes|menciones|dejes|seas|cites|inventes|borres|envíes|ejecutes|supongas|traduzcas|adivines|repitas|llames|no (?:me |te |lo |la )?(?:uses|utilices|respondas|escribas|hables|des|muestres|digas|incluyas|pongas|empieces|termines|hagas|expliques|preguntes|menciones|dejes|seas|cites|inventes|borres|envíes|ejecutes|supongas|adivines|repitas|llames|use|utilice)",
  "rispondi|rispondete|risponda|scrivi|scrivete|parla|parlate|usa|usate|utilizza|dai|da['’]|dammi|mostra|dì|dimmi|includi|aggiungi|metti|inizia|comincia|finisci|termina|fai|fa['’]|tieni|mantieni|spiega|chiedi|menziona|evita|evitate|smetti|smettila|sii|cita|indica|arrotonda|controlla|verifica|riassumi|limita|proponi|tratta|chiamami|non \\p{L}+(?:[aei]re|rre)(?:[mtclv]i|l[oaie]|ne)?",
  "responda|responde|escreva|escreve|fale|fala|use|usa|utilize|dê|dá|mostre|mostra|diga|diz|inclua|inclui|adicione|coloque|ponha|comece|começa|termine|termina|faça|faz|mantenha|mantém|explique|explica|pergunte|pergunta|mencione|evite|evita|pare|para de|deixe de|seja|sê|cite|cita|indique|arredonde|verifique|confira|resuma|limite|proponha|trate|invente|inventes|apague|envie|execute|suponha|repita|me (?:chame|trate|dê|mostre|diga|avise|pergunte)|não (?:me |se )?(?:use|uses|utilize|responda|escreva|fale|dê|mostre|diga|inclua|coloque|comece|termine|faça|explique|pergunte|mencione|seja|cite|invente|repita|chame)",
  "antwoord|schrijf|spreek|praat|gebruik|geef|toon|laat|zeg|noem|voeg|zet|begin|eindig|maak|houd|hou|leg|vraag|vermeld|vermijd|stop|wees|citeer|rond|controleer|vat|beperk|stel|behandel|verzin|raad|herhaal|verwijder|stuur",
];
const SLAVIC_IMPERATIVE =
  "(?:(?:nie|не) )?(?:\\p{L}+ ){0,1}?(?:\\p{L}{2,}(?:aj|uj|ij|yj)(?:cie)?|(?:pisz|mów|bądź|rób|pokaż|trzymaj|przestań|koniec)(?:cie)?|\\p{L}{2,}[аеуяю]й(?:те|ся|тесь)?|\\p{L}{2,}(?:ши|ри|ди|зи|ни|жи|чи|ти|ви|ми|ли|си|ки)(?:те|сь|тесь)?|(?:будь|отметь|добавь|ставь|оставь|проверь|забудь|перестань|хватит|прекрати)(?:те)?)(?!\\p{L})";

/** A clause with somebody or something else as its subject, or with the speaker. */
const SUBJECTS = [
  "i|we|he|she|it|they|you|this|that|these|those|there|the|an?|my|our|his|her|their|its|your|who|what|which|why|how|where|some|someone|somebody|everyone|everybody|everything|nobody|nothing|people|most|many|both|neither",
  "ich|wir|er|sie|es|das|der|die|den|dem|ihr|man|mein\\p{L}{0,2}|dein\\p{L}{0,2}|unser\\p{L}{0,2}|euer|eure|seine?|ihre?|ein|eine|einer|jemand|niemand|alle|viele|manche|dies\\p{L}{1,2}|jene\\p{L}?|was|wer|warum",
  "je|j|il|elle|on|nous|ils|elles|c|ce|cet|cette|ces|ça|cela|le|la|les|l|un|une|des|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|leur|leurs|tu|vous|quelqu['’]un|personne|qui|que|pourquoi|tout le monde",
  "yo|él|ella|ellos|ellas|nosotros|el|lo|los|las|una|unos|unas|mi|mis|tu|tus|su|sus|nuestr[oa]s?|est[eoa]s?|es[eoa]s?|aquell?[oa]s?|alguien|nadie|todos|todas|quien|qué|me|te|se|nos|hay",
  "io|lui|lei|noi|loro|gli|uno|mio|mia|miei|mie|tuo|tua|suo|sua|suoi|sue|nostr[oa]|quest[oaie]|quell[oaie]|qualcuno|nessuno|tutti|chi|perché|mi|ti|si|ci|vi",
  "eu|ele|ela|eles|elas|nós|o|os|as|um|uma|meu|meus|minha|minhas|teu|tua|seu|sua|seus|suas|nosso|nossa|esta?|esse|essa|isso|isto|alguém|ninguém|você|vocês",
  "ik|hij|zij|ze|wij|we|het|de|een|mijn|jouw|zijn|haar|ons|onze|hun|iemand|niemand|iedereen|deze|dit|dat|die|je|jij|men",
  "ja|on|ona|my|oni|mój|moja|moje|moi|twój|nasz|nasza|jego|jej|ich|ten|ta|to|ktoś|nikt|wszyscy|я|ты|он|она|оно|мы|вы|они|мой|моя|моё|мои|твой|твоя|наш|наша|наши|его|её|их|этот|эта|это|эти|тот|та|кто|никто|все|всё|меня|мне|нас",
];

const startWords = (words: readonly string[], ...more: readonly string[]) =>
  matchStart(`(?:${words.join("|")})(?![\\p{L}\\d])`, ...more);

export const command = {
  filler: startWords(FILLERS),
  ask: startWords(ASKS),
  forbid: startWords(FORBIDS),
  comfort: COMFORTS,
  /** French negates before the verb: "n'utilise". Without a subject, such a clause addresses the agent. */
  imperative: startWords(IMPERATIVES, "n['’]\\p{L}", "\\p{L}+en sie(?!\\p{L})"),
  slavicImperative: matchStart(SLAVIC_IMPERATIVE),
  subject: startWords(SUBJECTS),
  /** Verbs that come before their subject, as in "öffnet der Laden", "arbeite ich" or "gaat de winkel". */
  inverted: matchStart(
    "\\p{L}+ (?:ich|wir|er|es|man|wij|hij|ik|het)(?!\\p{L})",
    "\\p{L}+t (?:der|die|das|ein|eine|mein\\p{L}{0,2}|unser\\p{L}{0,2}|de|een|mijn|onze?)(?!\\p{L})",
    "(?:ist|sind|wird|werden|hat|haben|is|zijn|wordt|worden|heeft|hebben)(?!\\p{L})",
  ),
  /** Forms in which the speaker does something, such as "arbeite ich". */
  speaker: matchStart("\\p{L}+ (?:ich|wir|ik|wij)(?!\\p{L})"),
  /** Verbs that say what the speaker does, such as "trabajo", "lavoro" or "trabalho". */
  firstPerson: matchStart(
    "(?!(?:s[oó]lo|poco|todo|tudo|tutto|quando|cuando|undo|redo|echo)(?!\\p{L}))\\p{L}{4,}o(?!\\p{L})",
  ),
} as const;
