/** The sentences of the offline model in German. */
import type { Phrases } from "./phrases.ts";

export const GERMAN: Phrases = {
  and: "und",
  decimalMark: ",",
  whatIAm: (tools) => {
    const can = [
      "Ich lese deine Anhänge, Dateien und Notizen.",
      ...(tools.has("web_tools.web_search") ? ["Ich suche nach Quellen."] : []),
      "Ich zitiere die Sätze, die zu deiner Frage passen, mit ihrer Quelle.",
      "Ich merke mir, was du willst.",
      `Ich stelle Berichte aus Zitaten zusammen${tools.has("rendering_tools.write_pdf") ? ", auf Wunsch als PDF, Word-Dokument, Folien oder Bild" : ""}.`,
      "Ich rechne.",
      ...(tools.has("exec_tools.execute_code_python")
        ? ["Ich zeichne Diagramme aus Tabellen und führe Programme aus, die du einfügst."]
        : []),
    ];
    return `Ich bin das Offline-Modell von Cairn: kein Sprachmodell, kein Netz. ${can.join(" ")} Mit CAIRN_MODEL sprichst du mit einem Sprachmodell.`;
  },
  inShort: "_Ich bin das Offline-Modell von Cairn: Ich zitiere, was ich finde, und füge nichts hinzu._",
  iRan: "_Ich bin das Offline-Modell von Cairn: Ich habe dein Programm in einer Sandbox ausgeführt, seine Dateinamen angepasst und beurteile es nicht._",
  iWrote:
    "_Ich bin das Offline-Modell von Cairn: Ich habe die Datei so geschrieben, wie du sie gegeben hast, ohne Sprachmodell._",
  iComputed: "_Ich bin das Offline-Modell von Cairn: Das habe ich nach festen Regeln berechnet, ohne Sprachmodell._",
  hello: "Hallo.",
  youAreWelcome: "Gern geschehen! Frag mich, wenn du noch etwas brauchst.",
  askMe: "Stell mir eine Frage, häng eine Datei an, oder sag „Hilfe“.",
  realModel:
    "Ein Sprachmodell kann mehr beantworten. Starte Cairn dafür mit seinem Namen und Schlüssel, zum Beispiel `ANTHROPIC_API_KEY=… CAIRN_MODEL=anthropic:claude-sonnet-5 npm start`.",
  otherModels:
    "Andere Anbieter haben andere Namen, zum Beispiel `openai:<id>`, `google:<id>` oder `openai-compatible:<id>` für einen eigenen Server. Seine Adresse steht in `CAIRN_MODEL_BASE_URL`, zum Beispiel für Ollama: `CAIRN_MODEL=openai-compatible:llama3.1 CAIRN_MODEL_BASE_URL=http://127.0.0.1:11434/v1 npm start`. `cairn doctor` sagt, ob das Modell antwortet.",

  costs:
    "Das Offline-Modell kostet nichts. Bei Sprachmodellen zeigt der Inspektor (`Strg+I`), was jede Anfrage gekostet hat, und unter „Your cost over 14 days“, was du ausgegeben hast. Im Terminal zeigt das `/cost`.",
  notCached:
    "Das Offline-Modell läuft in Cairn selbst. Kein Anbieter speichert dafür etwas zwischen, und nichts wird berechnet. Bei einem Sprachmodell zeigt der Inspektor (`Strg+I`) neben jeder Anfrage, wie viel davon aus dem Cache gelesen wurde, und die Ursachen, wenn etwas fehlte.",
  beyond: {
    translate: "Übersetzen kann ich nicht: Das kann nur ein Sprachmodell.",
    compose:
      "Neue Texte schreiben kann ich nicht: Das kann nur ein Sprachmodell. Ich kann Zitate zu einem Thema zusammenstellen („Schreibe einen Bericht über …“) und einen Text speichern, den du mir gibst.",
    rewrite:
      "Texte umformulieren kann ich nicht: Das kann nur ein Sprachmodell. Ich kann die wichtigsten Sätze heraussuchen („Fasse das in zwei Sätzen zusammen“).",
    table:
      "Eine Tabelle aus eigenem Wissen füllen kann ich nicht: Das kann nur ein Sprachmodell. Häng eine Tabelle an oder füge sie ein, dann sortiere ich sie, rechne damit oder zeichne sie.",
  },
  checkIt:
    "Ich zitiere wörtlich und rechne nach festen Regeln, verstehe aber nicht, was ich zitiere. Das Zeichen hinter einem Zitat öffnet seine Quelle, damit du es prüfen kannst.",
  noMore: "Mehr habe ich dazu nicht gefunden.",
  nothingRuns: "Es läuft nichts. Der Knopf „Stop“ beendet eine Antwort, während sie geschrieben wird.",
  sameLanguage: "Ich vergleiche Wörter und übersetze nicht: Frag in der Sprache des Dokuments.",
  myLanguages: "Ich verstehe Deutsch, Englisch und Französisch.",
  now: (time) => `Es ist ${time}.`,
  timeUnknown: "Ich weiß hier nicht, wie spät es ist.",

  noted: (what) => `Notiert: ${what}`,
  noteHolds:
    "Diese Notiz gilt für dieses Gespräch. Wird Cairn mit `CAIRN_STANDING_ORDERS=user` gestartet, kennen sie auch neue Gespräche.",
  noteFailed: (why) => `Ich konnte die Notiz nicht speichern: ${why}`,
  cannotNote: "Ich kann hier keine Notizen speichern.",
  writingDown: "Ich schreibe das auf.",
  knowNothing: "Ich habe in diesem Gespräch keine Notizen über dich.",
  notToldMe: "Das hast du mir in diesem Gespräch nicht gesagt.",
  forgetting: "Ich beende die Anweisung.",
  forgot: (what) =>
    `In meinen Antworten verwende ich ${what} nicht mehr. Deine Nachricht selbst bleibt im Gespräch, bis du das Gespräch löschst.`,
  yourNotes: "Das habe ich in diesem Gespräch von dir:",
  howToChangeNotes:
    "Sag „Merke dir, dass …“, um eine Notiz hinzuzufügen. Ändern und beenden kannst du sie im Menü des Gesprächs unter „Standing orders“ oder mit `cairn orders`. Mit dem Gespräch werden auch die Notizen gelöscht. Wird Cairn mit `CAIRN_STANDING_ORDERS=user` gestartet, kennen auch neue Gespräche sie.",
  notUnderstood: (quote) => `Nicht berechnet habe ich ${quote} Frag das in einer eigenen Nachricht.`,
  ruleKept: (quote) =>
    `Das ist jetzt eine Daueranweisung dieses Gesprächs: ${quote} Jedes Sprachmodell, das hier antwortet, sieht sie. Ich zitiere nur, deshalb bleiben meine eigenen Antworten, wie sie sind. Um die Anweisung zu sehen oder zu beenden, öffne „Standing orders“ im Menü des Gesprächs oder führe \`cairn orders\` aus.`,
  fromNotes: (quote) => `Aus meinen Notizen: ${quote}`,
  youSaid: (quote) => `Du hast gesagt: ${quote}`,
  saidEarlier: (quote) => `Aus dem bisherigen Gespräch: ${quote}`,
  earlierTurns: "dem, was bisher gesagt wurde",

  sampleLibrary: "die Beispielbibliothek (Cairns Dokumentation)",
  folder: (name) => `die Bibliothek im Ordner \`${name}\``,
  service: (name) => `das Web (${name})`,
  libraryHolds: (place, count) =>
    `Ich durchsuche ${place}. Sie enthält ${count === 1 ? "ein Dokument" : `${count} Dokumente`}:`,
  libraryEmpty: (place) => `Ich durchsuche ${place}. Sie enthält keine Dokumente.`,
  libraryFailed: (place, why) => `Ich durchsuche ${place}, konnte ihren Inhalt aber nicht auflisten: ${why}`,
  noSearch: "Ich habe hier keine Bibliothek, die ich durchsuchen kann.",
  unknownPlace: "Ich kann suchen, aber nicht auflisten, was ich durchsuche.",
  searchesService: (place) => `Ich durchsuche ${place}. Das ist keine Bibliothek, die ich auflisten könnte.`,
  attachedFiles: "In diesem Gespräch angehängt:",
  nothingAttached: "In diesem Gespräch ist nichts angehängt.",
  andMore: (count) => `und ${count} weitere`,

  inCommon: (count, names) => `${names} haben ${count === 1 ? "eine Stelle" : `${count} Stellen`} gemeinsam.`,
  onlyIn: (name) => `Nur in ${name}:`,
  sameText: (names) => `${names} enthalten denselben Text.`,

  readGiven: "Ich lese, was du mir gegeben hast.",
  readFound: "Ich lese, was ich gefunden habe.",
  searching: "Ich suche danach.",
  readUnread: "Ich sehe nach, was ich noch nicht gelesen habe.",
  lookBack: "Ich sehe im bisherigen Gespräch nach.",
  searchLong: "Das ist lang: Ich durchsuche alles.",
  fetching: (count) => (count === 1 ? "Ich rufe die Seite ab." : "Ich rufe die Seiten ab."),
  notFetched: (why) => `Ich konnte die Seite nicht abrufen: ${why}`,
  searchedInVain: (place, read) => {
    const searched = place === "" ? "Ich habe gesucht" : `Ich habe ${place} durchsucht`;
    return `${searched} und nichts dazu gefunden${read === "" ? "" : `, auch nicht in ${read}`}.`;
  },
  notIn: (read) => `Ich habe nichts dazu gefunden in ${read}.`,
  nothingToRead: "Hier gibt es noch nichts, was ich lesen könnte.",
  yourMessage: "deiner Nachricht",
  attachSomething: "Häng ein Dokument an, oder bitte mich, mir etwas zu merken.",
  cannotRead: (name, why) => `Ich kann ${name} nicht lesen${why === "" ? "." : `: ${why}`}`,
  cannotSee: (names) =>
    `Ich sehe nicht, was auf ${names} ist: Das kann nur ein Sprachmodell, das Bilder versteht. Ich kann Bilder nur aufbewahren und zeigen.`,
  followups: (source) => [`Schreibe einen Bericht über „${source}“`, `Worum geht es in „${source}“?`],

  askedNothing: "Du hast mich vorher noch nichts gefragt.",
  asFarAsISee: ", soweit ich das Gespräch noch sehe",
  firstMessage: (since, quote) => `Deine erste Nachricht war${since}: ${quote}`,
  messageBefore: (quote) => `Deine vorige Nachricht war: ${quote}`,
  lastMessages: (count) => `Deine letzten ${count} Nachrichten waren:`,
  allMessages: (since) => `Deine Nachrichten${since} waren:`,

  formats: { pdf: "PDF", docx: "Word-Dokument", pptx: "Folien", png: "Bild" },
  noTool: "hier gibt es kein Werkzeug dafür",
  noWriteTool: "hier gibt es kein Werkzeug zum Schreiben von Dateien",
  made: (files) => `Ich habe ${files} erstellt.`,
  notMade: (format, why) => `${format}: nicht erstellt (${why})`,
  making: (formats) => `Ich erstelle: ${formats}.`,
  steps: { search: "Quellen suchen", read: "Material lesen", write: "Bericht schreiben" },
  renderStep: (formats) => `Als Dokument ausgeben: ${formats}`,
  firstRead: "Zuerst lese ich, was da ist.",
  firstSearch: "Zuerst suche ich Quellen.",
  writingReport: "Ich schreibe den Bericht.",
  makingDocuments: "Ich erstelle die Dokumente.",
  notWritten: (why) => `Ich konnte keine Datei schreiben (${why}). Hier ist der Text:`,
  writingFile: "Ich schreibe die Datei.",
  fileReady: (path) => `Die Datei ist in \`${path}\`.`,
  notInFile: (what, name) => `${name} enthält „${what}“ nicht, deshalb habe ich nichts geändert.`,
  nothingToUndo: "Keine Datei dieses Gesprächs hat eine frühere Fassung, deshalb habe ich nichts geändert.",
  cannotDelete: (name) =>
    `Ich kann ${name} nicht löschen: Ein Gespräch behält seine Dateien, bis du das Gespräch löschst („Delete“ in seinem Menü).`,
  clickToShow: (names) => `Um ${names} zu sehen, klick in deiner Nachricht auf die Datei. Ich kann nur Texte zitieren.`,
  fileNeedsContent: (name) =>
    `Ich schreibe Dateien so, wie du sie mir gibst, und erfinde keinen Inhalt. Sag zum Beispiel „Schreibe eine Datei ${name} mit: …“, oder füge den Inhalt in einem Codeblock ein.`,
  reportReady: (path, count, names) =>
    `Der Bericht steht in \`${path}\`: ${count === 1 ? "ein Zitat" : `${count} Zitate`} aus ${names}. Er beginnt mit:`,
  reportOn: (names) => `Bericht über ${names}`,
  onlyQuotations: "Jede Zeile unten ist ein Zitat, zusammengestellt ohne Sprachmodell.",
  topicMissing: "Keine Quelle erwähnt das Thema. Davon handeln die Quellen:",

  cannotRun: "Ich kann hier keine Programme ausführen: Es gibt kein Werkzeug dafür.",
  running: "Ich führe es aus.",
  notRun: (why) => `Das Programm wurde nicht ausgeführt: ${why}`,
  ranToEnd: "Das Programm lief bis zum Ende.",
  endedBadly: (why) => `Das Programm ist gescheitert: ${why}`,
  itMade: (files) => `Es hat ${files} erstellt.`,
  notAsAgreed: "Nicht wie vereinbart:",
  printed: "Ausgabe:",

  noTable: "Häng eine CSV-Datei an, dann zeichne ich ein Diagramm daraus.",
  drawing: (name) => `Ich zeichne ein Diagramm aus ${name}.`,
  chartReady: (path, name) => `Das Diagramm aus ${name} ist in \`${path}\`.`,
  chartFailed: (name, why) => `Ich konnte kein Diagramm aus ${name} zeichnen: ${why}`,

  table: {
    sum: (of) => `Summe von ${of}`,
    average: (of) => `Durchschnitt von ${of}`,
    highest: (of) => `höchster Wert von ${of}`,
    lowest: (of) => `niedrigster Wert von ${of}`,
    different: (of) => `verschiedene Werte von ${of}`,
    rows: "Zeilen",
    noRows: "Keine Zeile passt",
    from: (count, all, name) =>
      count === all ? `alle ${all} Zeilen von ${name}` : `${count} der ${all} Zeilen von ${name}`,
    without: (rows) => `Nicht mitgezählt: ${rows}.`,
    tooLong: (name) =>
      `Ich sehe nur den Anfang von ${name} und rechne deshalb nicht damit. Häng eine kleinere Tabelle an, oder füge ein Programm ein, das die Datei liest, und bitte mich, es auszuführen.`,
    by: (title, column) => `${title} nach ${column}`,
    unclear: (name, columns, unknown, wording) =>
      `${unknown === "" ? "Ich habe die Wörter deiner Frage verstanden, aber nicht, was ich berechnen soll" : `Ich habe nicht jedes Wort deiner Frage verstanden (${unknown}) und berechne deshalb nichts`}. Aus ${name} kann ich Summen, Durchschnitte, Anzahlen und höchste und niedrigste Werte berechnen, für manche Zeilen oder nach einer Spalte. Die Spalten sind ${columns}. ${wording === "" ? "Nenne sie, wie sie hier stehen." : `Versuche „${wording}“.`}`,
  },

  divisionByZero: "eine Division durch null hat kein Ergebnis",
  tooLarge: "das Ergebnis ist zu groß zum Ausschreiben",
  exchangeRates:
    "Wechselkurse habe ich nicht, weil sie sich täglich ändern. Schlag den Kurs nach und bitte mich, damit zu multiplizieren",
};
