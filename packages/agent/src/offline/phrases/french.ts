/** The sentences of the offline model in French. */
import type { Phrases } from "./phrases.ts";

export const FRENCH: Phrases = {
  and: "et",
  decimalMark: ",",
  whatIAm: (tools) => {
    const can = [
      "Je lis tes pièces jointes, tes fichiers et mes notes.",
      ...(tools.has("web_tools.web_search") ? ["Je cherche des sources."] : []),
      "Je cite les phrases qui répondent à ta question, avec leur source.",
      "Je retiens ce que tu me demandes de retenir.",
      `Je compose des rapports de citations${tools.has("rendering_tools.write_pdf") ? ", en PDF, document Word, diapositives ou image si tu veux" : ""}.`,
      "Je calcule.",
      ...(tools.has("exec_tools.execute_code_python")
        ? ["Je trace le graphique d'un tableau et j'exécute les programmes que tu colles."]
        : []),
    ];
    return `Je suis le modèle hors ligne de Cairn : pas de modèle de langage, pas de réseau. ${can.join(" ")} Avec CAIRN_MODEL, tu parles à un modèle de langage.`;
  },
  inShort: "_Je suis le modèle hors ligne de Cairn : je cite ce que je trouve et je n'ajoute rien._",
  iRan: "_Je suis le modèle hors ligne de Cairn : j'ai exécuté ton programme dans un bac à sable, en adaptant ses noms de fichiers, et je ne le juge pas._",
  iWrote:
    "_Je suis le modèle hors ligne de Cairn : j'ai écrit le fichier tel que tu l'as donné, sans modèle de langage._",
  iComputed:
    "_Je suis le modèle hors ligne de Cairn : j'ai calculé cela avec des règles fixes, sans modèle de langage._",
  hello: "Bonjour.",
  youAreWelcome: "Avec plaisir ! Demande-moi si tu as besoin d'autre chose.",
  askMe: "Pose-moi une question, joins un fichier ou dis « aide ».",
  realModel:
    "Un modèle de langage peut répondre à plus de questions. Pour en utiliser un, démarre Cairn avec son nom et sa clé, par exemple `ANTHROPIC_API_KEY=… CAIRN_MODEL=anthropic:claude-sonnet-5 npm start`.",
  otherModels:
    "D'autres fournisseurs ont d'autres noms, par exemple `openai:<id>`, `google:<id>` ou `openai-compatible:<id>` pour ton propre serveur. Son adresse va dans `CAIRN_MODEL_BASE_URL`, par exemple pour Ollama : `CAIRN_MODEL=openai-compatible:llama3.1 CAIRN_MODEL_BASE_URL=http://127.0.0.1:11434/v1 npm start`. `cairn doctor` dit si le modèle répond.",

  costs:
    "Le modèle hors ligne ne coûte rien. Pour les modèles de langage, l'inspecteur (`Ctrl+I`) montre le coût de chaque requête et, sous « Your cost over 14 days », tes dépenses. Dans le terminal, c'est `/cost`.",
  notCached:
    "Le modèle hors ligne fonctionne dans Cairn même. Aucun fournisseur ne met rien en cache pour lui, et rien n'est facturé. Pour un modèle de langage, l'inspecteur (`Ctrl+I`) montre à côté de chaque requête la part lue du cache, et les causes de chaque échec.",
  beyond: {
    translate: "Je ne peux pas traduire : il faut pour cela un modèle de langage.",
    compose:
      "Je ne peux pas écrire de nouveau texte : il faut pour cela un modèle de langage. Je peux réunir des citations sur un sujet (« Écris un rapport sur … ») et enregistrer un texte que tu me donnes.",
    rewrite:
      "Je ne peux pas reformuler : il faut pour cela un modèle de langage. Je peux choisir les phrases les plus importantes (« Résume ceci en deux phrases »).",
    table:
      "Je ne peux pas remplir un tableau de moi-même : il faut pour cela un modèle de langage. Joins ou colle un tableau, et je le trie, je l'additionne ou je le dessine.",
  },
  checkIt:
    "Je cite mot à mot et je calcule avec des règles fixes, mais je ne comprends pas ce que je cite. La marque derrière une citation ouvre sa source, pour que tu puisses vérifier.",
  noMore: "Je n'ai rien trouvé de plus à ce sujet.",
  nothingRuns: "Rien n'est en cours. Le bouton « Stop » arrête une réponse pendant qu'elle s'écrit.",
  sameLanguage: "Je compare les mots et je ne traduis pas : demande dans la langue du document.",
  myLanguages: "Je comprends le français, l'anglais et l'allemand.",
  now: (time) => `Nous sommes le ${time}.`,
  timeUnknown: "Je ne connais pas l'heure ici.",

  noted: (what) => `C'est noté : ${what}`,
  noteHolds:
    "Cette note vaut pour cette conversation. Si Cairn est lancé avec `CAIRN_STANDING_ORDERS=user`, les nouvelles conversations la connaissent aussi.",
  noteFailed: (why) => `Je n'ai pas pu garder la note : ${why}`,
  cannotNote: "Je ne peux pas garder de notes ici.",
  writingDown: "Je le note.",
  knowNothing: "Je n'ai pas de notes sur toi dans cette conversation.",
  notToldMe: "Tu ne me l'as pas dit dans cette conversation.",
  forgetting: "Je termine la consigne.",
  forgot: (what) =>
    `Je n'utilise plus ${what} dans mes réponses. Ton message lui-même reste dans la conversation jusqu'à ce que tu la supprimes.`,
  yourNotes: "Voici ce que j'ai de toi dans cette conversation :",
  howToChangeNotes:
    "Pour ajouter une note, dis « Retiens que … ». Pour en corriger ou en clore une, ouvre « Standing orders » dans le menu de la conversation, ou lance `cairn orders`. Les notes sont supprimées avec la conversation. Si Cairn est démarré avec `CAIRN_STANDING_ORDERS=user`, les nouvelles conversations les connaissent aussi.",
  notUnderstood: (quote) => `Je n'ai pas calculé ${quote} Pose cette question dans un message à part.`,
  ruleKept: (quote) =>
    `C'est maintenant une consigne permanente de cette conversation : ${quote} Chaque modèle de langage qui répond ici la voit. Je ne fais que citer, donc mes propres réponses restent telles quelles. Pour voir la consigne ou y mettre fin, ouvre « Standing orders » dans le menu de la conversation, ou lance \`cairn orders\`.`,
  fromNotes: (quote) => `Dans mes notes : ${quote}`,
  youSaid: (quote) => `Tu as dit : ${quote}`,
  saidEarlier: (quote) => `Dit plus tôt dans cette conversation : ${quote}`,
  earlierTurns: "ce qui a été dit plus tôt",

  sampleLibrary: "la bibliothèque d'exemple (la documentation de Cairn)",
  folder: (name) => `la bibliothèque du dossier \`${name}\``,
  service: (name) => `le web (${name})`,
  libraryHolds: (place, count) =>
    `Je cherche dans ${place}. Elle contient ${count === 1 ? "un document" : `${count} documents`} :`,
  libraryEmpty: (place) => `Je cherche dans ${place}. Elle ne contient aucun document.`,
  libraryFailed: (place, why) => `Je cherche dans ${place}, mais je n'ai pas pu en faire la liste : ${why}`,
  noSearch: "Je n'ai pas de bibliothèque à consulter ici.",
  unknownPlace: "Je peux chercher, mais je ne peux pas lister ce que je consulte.",
  searchesService: (place) =>
    `Je cherche dans ${place}. Ce n'est pas une bibliothèque dont je pourrais faire la liste.`,
  attachedFiles: "Pièces jointes de cette conversation :",
  nothingAttached: "Cette conversation n'a pas de pièces jointes.",
  andMore: (count) => `et ${count} de plus`,

  inCommon: (count, names) => `${names} ont ${count === 1 ? "un passage" : `${count} passages`} en commun.`,
  onlyIn: (name) => `Seulement dans ${name} :`,
  sameText: (names) => `${names} contiennent le même texte.`,

  readGiven: "Je lis ce que tu m'as donné.",
  readFound: "Je lis ce que j'ai trouvé.",
  searching: "Je cherche.",
  readUnread: "Je regarde ce que je n'ai pas encore lu.",
  lookBack: "Je regarde en arrière dans la conversation.",
  searchLong: "C'est long : je cherche dans tout le texte.",
  fetching: (count) => (count === 1 ? "Je charge la page." : "Je charge les pages."),
  notFetched: (why) => `Je n'ai pas pu charger la page : ${why}`,
  searchedInVain: (place, read) =>
    `J'ai cherché${place === "" ? "" : ` dans ${place}`} et je n'ai rien trouvé à ce sujet${read === "" ? "" : `, ni dans ${read}`}.`,
  notIn: (read) => `Je n'ai rien trouvé à ce sujet dans ${read}.`,
  nothingToRead: "Il n'y a encore rien ici que je puisse lire.",
  yourMessage: "ton message",
  attachSomething: "Joins un document, ou demande-moi de retenir quelque chose.",
  cannotRead: (name, why) => `Je ne peux pas lire ${name}${why === "" ? "." : ` : ${why}`}`,
  cannotSee: (names) =>
    `Je ne vois pas ce qu'il y a sur ${names} : il faut un modèle de langage qui comprend les images. Je peux seulement garder et montrer des images.`,
  followups: (source) => [`Écris un rapport sur « ${source} »`, `De quoi parle « ${source} » ?`],

  askedNothing: "Tu ne m'as encore rien demandé.",
  asFarAsISee: ", pour autant que je voie encore la conversation",
  firstMessage: (since, quote) => `Ton premier message était${since} : ${quote}`,
  messageBefore: (quote) => `Ton message précédent était : ${quote}`,
  lastMessages: (count) => `Tes ${count} derniers messages étaient :`,
  allMessages: (since) => `Tes messages${since} étaient :`,

  formats: { pdf: "PDF", docx: "document Word", pptx: "diapositives", png: "image" },
  noTool: "il n'y a pas d'outil pour cela ici",
  noWriteTool: "il n'y a pas d'outil pour écrire des fichiers",
  made: (files) => `J'ai créé ${files}.`,
  notMade: (format, why) => `${format} : pas créé (${why})`,
  making: (formats) => `Je crée : ${formats}.`,
  steps: { search: "Chercher des sources", read: "Lire ce qu'il y a", write: "Écrire le rapport" },
  renderStep: (formats) => `En faire un document : ${formats}`,
  firstRead: "Je lis d'abord ce qu'il y a.",
  firstSearch: "Je cherche d'abord des sources.",
  writingReport: "J'écris le rapport.",
  makingDocuments: "Je crée les documents.",
  notWritten: (why) => `Je n'ai pas pu écrire de fichier (${why}). Voici le texte :`,
  writingFile: "J'écris le fichier.",
  fileReady: (path) => `Le fichier est dans \`${path}\`.`,
  notInFile: (what, name) => `${name} ne contient pas « ${what} », je n'ai donc rien changé.`,
  nothingToUndo: "Aucun fichier de cette conversation n'a de version précédente, je n'ai donc rien changé.",
  cannotDelete: (name) =>
    `Je ne peux pas supprimer ${name} : une conversation garde ses fichiers jusqu'à ce que tu la supprimes (« Delete » dans son menu).`,
  clickToShow: (names) =>
    `Pour voir ${names}, clique sur le fichier dans ton message. Je ne peux que citer des textes.`,
  fileNeedsContent: (name) =>
    `J'écris les fichiers tels que tu les donnes et je n'invente pas de contenu. Dis par exemple « Écris un fichier ${name} avec : … », ou colle le contenu dans un bloc de code.`,
  reportReady: (path, count, names) =>
    `Le rapport est dans \`${path}\` : ${count === 1 ? "une citation" : `${count} citations`} de ${names}. Il commence par :`,
  reportOn: (names) => `Rapport sur ${names}`,
  onlyQuotations: "Chaque ligne ci-dessous est une citation, assemblée sans modèle de langage.",
  topicMissing: "Aucune source ne mentionne le sujet. Voici de quoi elles parlent :",

  cannotRun: "Je ne peux pas exécuter de programmes ici : il n'y a pas d'outil pour cela.",
  running: "Je l'exécute.",
  notRun: (why) => `Le programme n'a pas été exécuté : ${why}`,
  ranToEnd: "Le programme est allé jusqu'au bout.",
  endedBadly: (why) => `Le programme a échoué : ${why}`,
  itMade: (files) => `Il a créé ${files}.`,
  notAsAgreed: "Pas comme convenu :",
  printed: "Il a affiché :",

  noTable: "Joins un fichier CSV, et j'en trace le graphique.",
  drawing: (name) => `Je trace le graphique de ${name}.`,
  chartReady: (path, name) => `Le graphique de ${name} est dans \`${path}\`.`,
  chartFailed: (name, why) => `Je n'ai pas pu tracer le graphique de ${name} : ${why}`,

  table: {
    sum: (of) => `somme de ${of}`,
    average: (of) => `moyenne de ${of}`,
    highest: (of) => `valeur la plus élevée de ${of}`,
    lowest: (of) => `valeur la plus basse de ${of}`,
    different: (of) => `valeurs différentes de ${of}`,
    rows: "Lignes",
    noRows: "Aucune ligne ne correspond",
    from: (count, all, name) =>
      count === all ? `les ${all} lignes de ${name}` : `${count} des ${all} lignes de ${name}`,
    without: (rows) => `Non comptées : ${rows}.`,
    tooLong: (name) =>
      `Je ne vois que le début de ${name}, donc je ne calcule rien. Joins un tableau plus petit, ou colle un programme qui lit le fichier et demande-moi de l'exécuter.`,
    by: (title, column) => `${title} par ${column}`,
    unclear: (name, columns, unknown, wording) =>
      `${unknown === "" ? "J'ai compris les mots de ta question, mais pas ce qu'il faut calculer" : `Je n'ai pas compris tous les mots de ta question (${unknown}), donc je ne calcule rien`}. À partir de ${name}, je peux calculer des sommes, des moyennes, des nombres et les valeurs les plus élevées et les plus basses, pour certaines lignes ou par colonne. Ses colonnes sont ${columns}. ${wording === "" ? "Nomme-les comme elles sont écrites ici." : `Essaie « ${wording} ».`}`,
  },

  divisionByZero: "une division par zéro n'a pas de résultat",
  tooLarge: "le résultat est trop grand pour être écrit",
  exchangeRates:
    "je n'ai pas les taux de change, car ils varient chaque jour. Cherche le taux et demande-moi de multiplier par lui",
};
