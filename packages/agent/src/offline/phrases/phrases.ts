/** The sentences of the offline model. Each language has a table of all sentences. Quotations are never translated. */

/** Requests that only a language model can fulfil. */
export type Beyond = "translate" | "compose" | "rewrite" | "table";

export type DocumentFormat = "pdf" | "docx" | "pptx" | "png";

export interface Phrases {
  /** The word between the last two names of a list. */
  readonly and: string;
  /** The decimal mark of numbers. */
  readonly decimalMark: "." | ",";
  whatIAm(tools: ReadonlySet<string>): string;
  readonly inShort: string;
  readonly iRan: string;
  readonly iComputed: string;
  readonly iWrote: string;
  readonly hello: string;
  readonly youAreWelcome: string;
  /** The answer to a message in which no request is recognised. */
  readonly askMe: string;
  /** How to use a language model instead of the offline model, with one example line. */
  readonly realModel: string;
  /** The other providers, and where they are described. */
  readonly otherModels: string;

  /** What the offline model costs, and where costs are shown. */
  readonly costs: string;
  /** Why nothing was read from a cache, and where the causes are shown. */
  readonly notCached: string;
  /** Requests that need a language model. */
  readonly beyond: Readonly<Record<Beyond, string>>;
  readonly checkIt: string;
  readonly noMore: string;
  readonly nothingRuns: string;
  /** Said after a search that found nothing: the words of a question are compared and not translated. */
  readonly sameLanguage: string;
  /** The languages of the messages that the offline model understands. */
  readonly myLanguages: string;
  now(time: string): string;
  readonly timeUnknown: string;

  noted(what: string): string;
  /** Said after a note: where the note holds, and how to keep notes for all conversations. */
  readonly noteHolds: string;
  noteFailed(why: string): string;
  readonly cannotNote: string;
  readonly writingDown: string;
  readonly knowNothing: string;
  /** After a question about the user that nothing answers. */
  readonly notToldMe: string;
  readonly forgetting: string;
  forgot(what: string): string;
  readonly yourNotes: string;
  readonly howToChangeNotes: string;
  readonly notUnderstood: (quote: string) => string;
  readonly ruleKept: (quote: string) => string;
  fromNotes(quote: string): string;
  youSaid(quote: string): string;
  /** Introduces text that a search of earlier turns found. */
  saidEarlier(quote: string): string;
  /** The name of the earlier turns as a place that was read. */
  readonly earlierTurns: string;

  /** The library that comes with Cairn, the user's own folder, or a search service. */
  readonly sampleLibrary: string;
  folder(name: string): string;
  service(name: string): string;
  libraryHolds(place: string, count: number): string;
  libraryEmpty(place: string): string;
  libraryFailed(place: string, why: string): string;
  readonly noSearch: string;
  readonly unknownPlace: string;
  searchesService(place: string): string;
  readonly attachedFiles: string;
  readonly nothingAttached: string;
  andMore(count: number): string;

  /** After a comparison of two files. */
  inCommon(count: number, names: string): string;
  onlyIn(name: string): string;
  sameText(names: string): string;

  readonly readGiven: string;
  readonly readFound: string;
  readonly searching: string;
  readonly readUnread: string;
  readonly lookBack: string;
  readonly searchLong: string;
  fetching(count: number): string;
  notFetched(why: string): string;
  /** `place`: where the model searched; `read`: the texts that it read. Both may be empty. */
  searchedInVain(place: string, read: string): string;
  notIn(read: string): string;
  readonly nothingToRead: string;
  /** The name of a text that the message contains. */
  readonly yourMessage: string;
  readonly attachSomething: string;
  cannotRead(name: string, why: string): string;
  /** `names`: pictures. */
  cannotSee(names: string): string;
  followups(source: string): readonly string[];

  readonly askedNothing: string;
  readonly asFarAsISee: string;
  firstMessage(since: string, quote: string): string;
  messageBefore(quote: string): string;
  lastMessages(count: number): string;
  allMessages(since: string): string;

  readonly formats: Readonly<Record<DocumentFormat, string>>;
  readonly noTool: string;
  readonly noWriteTool: string;
  made(files: string): string;
  notMade(format: string, why: string): string;
  making(formats: string): string;
  readonly steps: { readonly search: string; readonly read: string; readonly write: string };
  renderStep(formats: string): string;
  readonly firstRead: string;
  readonly firstSearch: string;
  readonly writingReport: string;
  readonly makingDocuments: string;
  notWritten(why: string): string;
  readonly writingFile: string;
  fileReady(path: string): string;
  notInFile(what: string, name: string): string;
  readonly nothingToUndo: string;
  cannotDelete(name: string): string;
  /** After a request to show attached files. */
  clickToShow(names: string): string;
  fileNeedsContent(name: string): string;
  reportReady(path: string, count: number, names: string): string;
  reportOn(names: string): string;
  readonly onlyQuotations: string;
  readonly topicMissing: string;

  readonly cannotRun: string;
  readonly running: string;
  notRun(why: string): string;
  readonly ranToEnd: string;
  endedBadly(why: string): string;
  itMade(files: string): string;
  readonly notAsAgreed: string;
  readonly printed: string;

  readonly noTable: string;
  drawing(name: string): string;
  chartReady(path: string, name: string): string;
  chartFailed(name: string, why: string): string;

  /** Results that are computed from the rows of a table. `of`: the name of a column. */
  readonly table: {
    sum(of: string): string;
    average(of: string): string;
    highest(of: string): string;
    lowest(of: string): string;
    different(of: string): string;
    readonly rows: string;
    readonly noRows: string;
    from(count: number, all: number, name: string): string;
    without(rows: string): string;
    tooLong(name: string): string;
    by(title: string, column: string): string;
    /** `unknown`: the words that were not understood; `wording`: a question that is understood. Both may be empty. */
    unclear(name: string, columns: string, unknown: string, wording: string): string;
  };

  readonly divisionByZero: string;
  readonly tooLarge: string;
  readonly exchangeRates: string;
}
