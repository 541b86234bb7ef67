import { readFile } from "node:fs/promises";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { bySize } from "@cairn/testkit/runs";
import { describe, expect, it } from "vitest";
import { findGist, findQuotes } from "./find-quotes.ts";
import type { Passage } from "./passages.ts";
import { sentencesOf } from "./sentences.ts";
import { wordsOf } from "./words.ts";

const passage = (text: string, sid: number | null = 1): Passage => ({
  kind: "file",
  name: `f${sid}`,
  sid,
  part: null,
  text,
});
const found = (question: string, ...texts: string[]) =>
  findQuotes(
    question,
    texts.map((text, at) => passage(text, at + 1)),
    3,
  ).map(({ text, passage: { sid } }) => [text, sid]);

describe("words", () => {
  it("are compared without case, accents and common endings", () => {
    expect(wordsOf("The Cafés' menus were closing")).toEqual(["cafe", "menu", "clos"]);
    expect(wordsOf("closed")).toEqual(["clos"]);
    expect(wordsOf("cache cached caching")).toEqual(["cach", "cach", "cach"]);
  });
  it("for mounting in an application are one word in English, German and French", () => {
    for (const verb of ["einbinden", "einhängen", "mounten", "integrieren", "integrate", "intégrer"])
      expect(wordsOf(`Wie kann ich Cairn in Express ${verb}?`)).toEqual(["cairn", "express", "mount"]);
  });
  it("that the documentation has in English are English in German and French questions", () => {
    for (const question of [
      "How do I delete a conversation?",
      "Wie lösche ich Gespräche?",
      "Supprimer une conversation",
    ])
      expect(wordsOf(question).slice(-2).toSorted()).toEqual(["conversation", "delet"]);
  });
  it("leave out the short part beside an apostrophe", () => {
    expect(wordsOf("Comment fonctionnent les approbations ?")).toEqual(wordsOf("approval"));
    expect(wordsOf("Wie werden Genehmigungen erteilt?").sort()).toEqual(wordsOf("approval approve").sort());
    expect(wordsOf("What's the cook's name? I don't know.")).toEqual(["cook", "name", "know"]);
    expect(wordsOf("L’eau qu'il n'a pas d'ici")).toEqual(["eau", "il", "ici"]);
  });
  it("of a question in German or French are the ones that carry its meaning", () => {
    expect(wordsOf("Darf ich einen Hund halten?")).toEqual(["hund", "halten"]);
    expect(wordsOf("Ai-je le droit d'avoir un chien ?")).toEqual(["droit", "chien"]);
  });
  it("of languages without spaces are pairs of characters", () => {
    expect(wordsOf("営業時間")).toEqual(["営業", "業時", "時間"]);
  });
});

describe("sentences", () => {
  it("span the lines of a paragraph; list items and headings are sentences of their own", () => {
    expect(
      sentencesOf("# Hours\nOpen from\nnoon. Closed on Mondays!\n\n- first item\n- second. Item\n1) third"),
    ).toEqual(["Hours", "Open from noon.", "Closed on Mondays!", "first item", "second.", "Item", "third"]);
  });
  it("of an item span its lines, with the short heading of the item", () => {
    const page =
      "3. Deposit. The tenant pays three months' rent, which is returned\nwithin six months. It bears interest.\n\n- milk\n- two\n  eggs\nBread";
    expect(sentencesOf(page)).toEqual([
      "Deposit. The tenant pays three months' rent, which is returned within six months.",
      "It bears interest.",
      ...["milk", "two eggs", "Bread"],
    ]);
  });
  it("do not end at abbreviated numbers, and end at Chinese full stops", () => {
    expect(sentencesOf("It costs 3.50 euros. Fine.")).toEqual(["It costs 3.50 euros.", "Fine."]);
    expect(sentencesOf("Er endet am 31. März. Gut.")).toEqual(["Er endet am 31. März.", "Gut."]);
    expect(sentencesOf("今日は晴れ。明日は雨。")).toEqual(["今日は晴れ。", "明日は雨。"]);
  });
  it("leave out code blocks and pictures", () => {
    const text =
      "Before.\n```ts\nconst a = 1;\n\nrun(a);\n```\n![A picture](a.png)\n<!-- a/file.ts -->\nAfter ```x``` it.\n";
    expect(sentencesOf(text)).toEqual(["Before.", "After ```x``` it."]);
    // This text begins inside a code block.
    expect(sentencesOf("run(a);\n```\n\nAfter.")).toEqual(["After."]);
    expect(sentencesOf("A sentence.\n…\nrun(a);\n```\nAfter.")).toEqual(["A sentence.", "After."]);
  });
});

it("an address, or code whose block began before the text, is no sentence", () => {
  const text =
    "corpus:///tools.md\n\nconst chat = open(); for await (const part of chat) { await part.done(); }\n\nThe end.";
  expect(sentencesOf(text)).toEqual(["The end."]);
});

describe("quotes", () => {
  it("of a page are found even if a word of the question is only in the title of the page", () => {
    const page = { kind: "web", name: "Mount it in your application", sid: 1, part: null } as const;
    const passage = { ...page, text: "The shop is small.\n\nIn Express, use the handler." };
    const found = findQuotes("How do I mount it in Express?", [passage], 4, { leastOfPages: 0.51 });
    expect(found.map(({ text }) => text)).toEqual(["In Express, use the handler."]);
  });
  it("of a page do not answer by the parts of an identifier, unless the question has one", () => {
    const page = { kind: "web", name: "Caching", sid: 1, part: null } as const;
    const passage = { ...page, text: "Its `prompt_cache_key` is an id.\n\nA cache keeps the beginning of prompts." };
    const first = (question: string) => findQuotes(question, [passage], 4, { leastOfPages: 0.51 })[0]?.text;
    expect(first("Comment fonctionne le cache de prompts ?")).toBe("A cache keeps the beginning of prompts.");
    expect(first("What is the id prompt_cache_key?")).toBe("Its `prompt_cache_key` is an id.");
  });
  it("of a page are the sentences below a heading that is the question, and never the heading or a cut word", () => {
    const page = { kind: "web", name: "Questions", sid: 1, part: null } as const;
    const text =
      "## What is a tally?\n\nIt records what was sent. It has a number.\n\n## Other\n\nTally tally tal…\n\nA tally.";
    const quoted = (question: string) =>
      findQuotes(question, [{ ...page, text }], 2, { leastOfPages: 0.51 }).map((quote) => quote.text);
    expect(quoted("what's a tally")).toEqual(["It records what was sent.", "It has a number."]);
  });
  it("prefer a sentence that defines the term of the question", () => {
    const text = "A tally can fail. Each tally has a tally. A **tally** is the record of one request to a model.";
    expect(found("What is a tally?", text)[0]).toEqual(["A **tally** is the record of one request to a model.", 1]);
    expect(found("Was ist ein Tally?", text)[0]).toEqual(["A **tally** is the record of one request to a model.", 1]);
  });
  it("of a whole text are its sentences, and not the dated entries of a list", () => {
    const entries = ["The shop", "The harbour", "The boats"].map((name) => `- ${name} · 2026-11-19`).join("\n");
    const gist = findGist([passage(`${entries}\n\nThe boats bring fish to the shop in the harbour.`)], 1);
    expect(gist.map(({ text }) => text)).toEqual(["The boats bring fish to the shop in the harbour."]);
  });
  it("are not taken from below a question that only shares a frequent word", () => {
    const page = { kind: "web", name: "Questions", sid: 1, part: null } as const;
    const others = Array.from({ length: 9 }, (_, nth) => `Tests work on day ${nth}.`).join(" ");
    const text = `## How does the cache work?\n\nA provider keeps the beginning.\n\n${others}`;
    const quoted = (question: string) =>
      findQuotes(question, [{ ...page, text }], 4, { leastOfPages: 0.51 }).map((quote) => quote.text);
    expect(quoted("How does the cache work?")).toContain("A provider keeps the beginning.");
    expect(quoted("How do approvals work?")).toEqual([]);
  });
  it("answer common questions from the documentation, with its code and without quotations beside it", async () => {
    const text = await readFile(new URL("../../../../docs/questions.md", import.meta.url), "utf8");
    const page = { kind: "web", name: "Questions and answers", sid: 1, part: null, text } as const;
    const quotes = (question: string, isForeign = false) =>
      findQuotes(question, [page], 4, { leastOfPages: 0.51, isForeign });
    const [express, ...others] = quotes("how do I mount Cairn in my Express app?");
    expect([express?.text.slice(0, 11), others]).toEqual(["In Express,", []]);
    expect(express?.code).toContain('app.use("/support", toNode(handler));');
    expect(quotes("How do I make a tool ask for my approval?")[0]?.text).toContain('`approval: "always"`');
    expect(quotes("Wie starte ich Cairn mit Docker?", true)[0]?.text).toContain(
      "`docker compose -f deploy/compose.yaml up",
    );
  });
  it("of an answer of the documentation have no weaker quotations beside them", () => {
    const page = { kind: "web", name: "Questions", sid: 1, part: null } as const;
    const answer = "Cairn is free. It has no fees. It has no plans.";
    const other = "The command prints what a run of Cairn would cost.";
    const text = `## What does Cairn cost?\n\n${answer}\n\n## Benchmarks\n\n${other}`;
    const quotes = findQuotes("What does Cairn cost to run?", [{ ...page, text }], 4, { leastOfPages: 0.51 });
    expect(quotes.map((quote) => quote.text).join(" ")).toBe(answer);
  });
  it("have their code if one of two extracts of a page has it", () => {
    const page = { kind: "web", name: "Mount", sid: 1, part: null } as const;
    const said = "Mount the handler in Express:";
    const texts = [said, `${said}\n\n<!-- mount.ts -->\n\`\`\`ts\napp.use(handler);\n\`\`\``];
    const passages = texts.map((text) => ({ ...page, text }));
    const [quote] = findQuotes("How do I mount the handler in Express?", passages, 4);
    expect([quote?.text, quote?.code]).toEqual([said, "```ts\napp.use(handler);\n```"]);
  });
  it("prefer rare words over frequent ones", () => {
    const text = "The goose is golden. The goose is grey. The goose eats barley.";
    expect(found("What barley does the goose eat?", text)[0]).toEqual(["The goose eats barley.", 1]);
  });
  it("are found by the one word that a question about its object has", () => {
    const text = "The tenant pays a deposit of three months' rent.";
    expect(found("What happens to the deposit and when do I get it back?", text)).toEqual([[text, 1]]);
  });
  it("need more than one word in common with a long question", () => {
    expect(found("Which river flows through the old town of Wuppertal?", "The town hall is new.")).toEqual([]);
  });
  it("are found below the heading that names them", () => {
    expect(found("opening hours on Sunday", "Opening hours\n\nSunday from noon.")[0]).toEqual(["Sunday from noon.", 1]);
  });
  it("are the sentence below a heading that matches, and never the heading alone", () => {
    expect(found("deposit", "Deposit.\n\nThe tenant pays three months' rent.")).toEqual([
      ["The tenant pays three months' rent.", 1],
    ]);
  });
  it("are given once, from a source that can be cited", () => {
    const same = [passage("The lease ends in 2031.", null), passage("The lease ends in 2031.", 4)];
    expect(findQuotes("lease end", same, 3).map((quote) => quote.passage.sid)).toEqual([4]);
  });
  it("are not given when no question was asked", () => {
    for (const question of ["", "the and of", "?!", "\ud800"]) expect(found(question, "Some text.")).toEqual([]);
    expect(findGist([], 3)).toEqual([]);
  });
  it("take time in proportion to the text: many words, one long line or broken sentences", () => {
    for (const unit of ["lorem ipsum dolor ", "a.b! ", "x", "\n", "A. "])
      expect(
        growthOnDoubling(
          (size) => [passage(unit.repeat(size))],
          (texts) => findQuotes("lorem dolor x a", texts, 3),
          bySize({ quick: 20_000, usual: 20_000, long: 40_000 }),
        ),
      ).toBeLessThan(4);
  });
});
