/** The sentences of the offline model in English. */
import type { Phrases } from "./phrases.ts";

export const ENGLISH: Phrases = {
  and: "and",
  decimalMark: ".",
  whatIAm: (tools) => {
    const can = [
      "read your attachments, files and notes",
      ...(tools.has("web_tools.web_search") ? ["search for sources"] : []),
      "quote the sentences that fit your question with their sources",
      "remember what you ask me to",
      `put reports together from quotations${tools.has("rendering_tools.write_pdf") ? ", as PDF, Word document, slides or picture if you like" : ""}`,
      "calculate",
      ...(tools.has("exec_tools.execute_code_python")
        ? ["draw a chart of a table and run the programs you paste"]
        : []),
    ];
    return `I am Cairn's offline model: no language model, no network. I ${can.slice(0, -1).join("; ")}; and ${can.at(-1)}. Set CAIRN_MODEL to talk to a language model.`;
  },
  inShort: "_I am Cairn's offline model: I quote what I find and add nothing of my own._",
  iRan: "_I am Cairn's offline model: I ran your program in a sandbox, its file names put where files are, and judge nothing of it._",
  iWrote: "_I am Cairn's offline model: I wrote the file as you gave it, without a language model._",
  iComputed: "_I am Cairn's offline model: I computed this with fixed rules, without a language model._",
  hello: "Hello.",
  youAreWelcome: "You're welcome! Ask me whenever you need something else.",
  askMe: "Ask me a question, attach a file, or say “help”.",
  realModel:
    "A language model can answer more. To use one, start Cairn with its name and key, for example `ANTHROPIC_API_KEY=… CAIRN_MODEL=anthropic:claude-sonnet-5 npm start`.",
  otherModels:
    "Other providers have other names, such as `openai:<id>`, `google:<id>` or `openai-compatible:<id>` for a server of your own. Its address goes into `CAIRN_MODEL_BASE_URL`, for example for Ollama: `CAIRN_MODEL=openai-compatible:llama3.1 CAIRN_MODEL_BASE_URL=http://127.0.0.1:11434/v1 npm start`. `cairn doctor` says whether the model answers.",

  costs:
    "The offline model costs nothing. For language models, the inspector (`Ctrl+I`) shows what each request cost and, below “Your cost over 14 days”, what you spent. In the terminal, `/cost` shows the same.",
  notCached:
    "The offline model runs inside Cairn. No provider caches anything for it, and nothing is billed. For a language model, the inspector (`Ctrl+I`) shows beside each request how much of it was read from the cache, and the causes of each miss.",
  beyond: {
    translate: "I cannot translate: that takes a language model.",
    compose:
      "I cannot write new text: that takes a language model. I can put quotations about a topic together (“Write a report about …”), and save a text that you give me.",
    rewrite:
      "I cannot reword text: that takes a language model. I can pick its most important sentences (“Summarise this in two sentences”).",
    table:
      "I cannot fill a table from what I know: that takes a language model. Attach or paste a table, and I sort it, add it up or draw it.",
  },
  checkIt:
    "I quote word for word and calculate with fixed rules, but I do not understand what I quote. The mark behind a quotation opens its source, so that you can check it.",
  noMore: "I found nothing more about that.",
  nothingRuns: "Nothing is running. The button “Stop” ends an answer while it is being written.",
  sameLanguage: "I compare words and do not translate: ask in the language of the document.",
  myLanguages: "I understand English, German and French.",
  now: (time) => `It is ${time}.`,
  timeUnknown: "I do not know the time here.",

  noted: (what) => `Noted: ${what}`,
  noteHolds:
    "This note holds for this conversation. If Cairn is started with `CAIRN_STANDING_ORDERS=user`, new conversations know it, too.",
  noteFailed: (why) => `I could not keep the note: ${why}`,
  cannotNote: "I have no way to keep notes here.",
  writingDown: "I write that down.",
  knowNothing: "I have no notes about you in this conversation.",
  notToldMe: "You have not told me that in this conversation.",
  forgetting: "I close the order.",
  forgot: (what) =>
    `I no longer use ${what} in my answers. Your message itself stays in the conversation until you delete the conversation.`,
  yourNotes: "This is what I have from you in this conversation:",
  howToChangeNotes:
    "To add a note, say “Remember that …”. To correct or end one, open “Standing orders” in the menu of the conversation, or run `cairn orders`. Notes are deleted with the conversation. If Cairn is started with `CAIRN_STANDING_ORDERS=user`, new conversations know them, too.",
  notUnderstood: (quote) => `I did not compute ${quote} Ask this in a message of its own.`,
  ruleKept: (quote) =>
    `This is now a standing order of this conversation: ${quote} Every language model that answers here sees it. I only quote, so my own answers stay as they are. To see or end the order, open “Standing orders” in the menu of the conversation, or run \`cairn orders\`.`,
  fromNotes: (quote) => `From my notes: ${quote}`,
  youSaid: (quote) => `You said: ${quote}`,
  saidEarlier: (quote) => `From earlier in this conversation: ${quote}`,
  earlierTurns: "what was said earlier",

  sampleLibrary: "the sample library (Cairn's documentation)",
  folder: (name) => `the library in the folder \`${name}\``,
  service: (name) => `the web (${name})`,
  libraryHolds: (place, count) => `I search ${place}. It has ${count === 1 ? "one document" : `${count} documents`}:`,
  libraryEmpty: (place) => `I search ${place}. It has no documents.`,
  libraryFailed: (place, why) => `I search ${place}, but I could not list it: ${why}`,
  noSearch: "I have no library to search here.",
  unknownPlace: "I can search, but I cannot list what I search.",
  searchesService: (place) => `I search ${place}. That is not a library that I could list.`,
  attachedFiles: "Attached in this conversation:",
  nothingAttached: "Nothing is attached in this conversation.",
  andMore: (count) => `and ${count} more`,

  inCommon: (count, names) => `${names} have ${count === 1 ? "one passage" : `${count} passages`} in common.`,
  onlyIn: (name) => `Only in ${name}:`,
  sameText: (names) => `${names} contain the same text.`,

  readGiven: "I read what you gave me.",
  readFound: "I read what I found.",
  searching: "I search for that.",
  readUnread: "I look into what I have not read yet.",
  lookBack: "I look back.",
  searchLong: "That is long: I search all of it.",
  fetching: (count) => (count === 1 ? "I fetch the page." : "I fetch the pages."),
  notFetched: (why) => `I could not fetch it: ${why}`,
  searchedInVain: (place, read) =>
    `I searched, and found nothing about that${place === "" ? "" : ` in ${place}`}${read === "" ? "" : `${place === "" ? " in" : " or in"} ${read}`}.`,
  notIn: (read) => `I found nothing about that in ${read}.`,
  nothingToRead: "There is nothing here I could read yet.",
  yourMessage: "your message",
  attachSomething: "Attach a document, or ask me to remember something.",
  cannotRead: (name, why) => `I cannot read ${name}${why === "" ? "." : `: ${why}`}`,
  cannotSee: (names) =>
    `I cannot see what is on ${names}: that takes a language model that sees pictures. I can only store and show pictures.`,
  followups: (source) => [`Write a report about “${source}”`, `What is “${source}” about?`],

  askedNothing: "You have asked me nothing before.",
  asFarAsISee: ", as far as I still see the conversation",
  firstMessage: (since, quote) => `Your first message was${since}: ${quote}`,
  messageBefore: (quote) => `Your message before this one was: ${quote}`,
  lastMessages: (count) => `Your last ${count} messages were:`,
  allMessages: (since) => `Your messages${since} were:`,

  formats: { pdf: "PDF", docx: "Word document", pptx: "slides", png: "picture" },
  noTool: "there is no tool for it here",
  noWriteTool: "there is no tool to write files with",
  made: (files) => `I made ${files}.`,
  notMade: (format, why) => `The ${format} could not be made: ${why}`,
  making: (formats) => `I make ${formats}.`,
  steps: { search: "Search for sources", read: "Read what there is", write: "Write the report" },
  renderStep: (formats) => `Make it a document: ${formats}`,
  firstRead: "First I read what there is.",
  firstSearch: "First I look for sources.",
  writingReport: "I write the report.",
  makingDocuments: "I make the documents.",
  notWritten: (why) => `I could not write a file (${why}), so here it is:`,
  writingFile: "I write the file.",
  fileReady: (path) => `The file is in \`${path}\`.`,
  notInFile: (what, name) => `${name} does not contain “${what}”, so I changed nothing.`,
  nothingToUndo: "No file of this conversation has a version before, so I changed nothing.",
  cannotDelete: (name) =>
    `I cannot delete ${name}: a conversation keeps its files until you delete the conversation (“Delete” in its menu).`,
  clickToShow: (names) => `To see ${names}, click on the file in your message. I can only quote texts.`,
  fileNeedsContent: (name) =>
    `I write files as you give them, and make up no content. Say for example “Write a file ${name} with: …”, or paste the content in a code block.`,
  reportReady: (path, count, names) =>
    `The report is in \`${path}\`: ${count === 1 ? "one quotation" : `${count} quotations`} from ${names}. It begins with:`,
  reportOn: (names) => `Report on ${names}`,
  onlyQuotations: "Every line below is a quotation, put together without a language model.",
  topicMissing: "Nothing in the sources mentions the topic; this is what they are about.",

  cannotRun: "I cannot run programs here: there is no tool for it.",
  running: "I run it.",
  notRun: (why) => `The program was not run: ${why}`,
  ranToEnd: "The program ran to its end.",
  endedBadly: (why) => `The program did not end well: ${why}`,
  itMade: (files) => `It made ${files}.`,
  notAsAgreed: "Not as agreed:",
  printed: "It printed:",

  noTable: "Attach a CSV file, and I draw a chart of it.",
  drawing: (name) => `I draw a chart of ${name}.`,
  chartReady: (path, name) => `The chart of ${name} is in \`${path}\`.`,
  chartFailed: (name, why) => `I could not draw a chart of ${name}: ${why}`,

  table: {
    sum: (of) => `sum of ${of}`,
    average: (of) => `average of ${of}`,
    highest: (of) => `highest ${of}`,
    lowest: (of) => `lowest ${of}`,
    different: (of) => `different values of ${of}`,
    rows: "Rows",
    noRows: "No row fits",
    from: (count, all, name) =>
      count === all ? `all ${all} rows of ${name}` : `${count} of the ${all} rows of ${name}`,
    without: (rows) => `Left out: ${rows}.`,
    tooLong: (name) =>
      `I see only the beginning of ${name}, so I do not compute with it. Attach a smaller table, or paste a program that reads the file and ask me to run it.`,
    by: (title, column) => `${title} by ${column}`,
    unclear: (name, columns, unknown, wording) =>
      `${unknown === "" ? "I understood the words of your question, but not what to compute" : `I did not understand every word of your question (${unknown}), so I compute nothing`}. From ${name} I can compute sums, averages, counts, and the highest and lowest values, of some rows or by a column. Its columns are ${columns}. ${wording === "" ? "Name them as they are written here." : `Try “${wording}”.`}`,
  },

  divisionByZero: "a division by zero has no result",
  tooLarge: "the result is too large to write down",
  exchangeRates: "I have no exchange rates, because they change daily. Look up the rate and ask me to multiply by it",
};
