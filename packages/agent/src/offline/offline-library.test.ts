/** Tests what the offline model says about its library, and about what it searches. */
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, Desk, MENU } from "../../test/offline-desk.ts";
import { readView } from "./read-view.ts";

describe("the library", () => {
  const titles = async () => ({ titles: ["The ferry", "Tea"], count: 3 });

  it("is listed by its titles, with the attached files", async () => {
    const desk = new Desk(ALL_TOOLS);
    desk.place = { kind: "folder", name: "papers", titles };
    await desk.say("What is this about?", { "menu.txt": MENU });
    const { text, calls } = await desk.say("What is in the library?");
    expect(calls).toEqual([]);
    expect(text).toBe(
      "I search the library in the folder `papers`. It has 3 documents:\n\n- The ferry\n- Tea\n- and 1 more\n\nAttached in this conversation:\n\n- menu.txt",
    );
    expect((await desk.say("Quels documents as-tu ?")).text).toContain("Elle contient 3 documents :");
  });

  it("a library that cannot be listed is described, and so is a search service", async () => {
    const desk = new Desk(ALL_TOOLS);
    desk.place = { kind: "sample", name: "corpus", titles: () => Promise.reject(new Error("it is gone")) };
    expect((await desk.say("What is in the library?")).text).toContain("I could not list it: it is gone");
    desk.place = { kind: "service", name: "brave" };
    expect((await desk.say("What is in the library?")).text).toMatch(/the web \(brave\).*\n\nNothing is attached/s);
    desk.place = null;
    expect((await desk.say("What is in the library?")).text).toContain("I cannot list what I search");
    expect((await new Desk().say("What is in the library?")).text).toContain("I have no library to search here");
  });

  it("and earlier turns are named without paths when neither has an answer", async () => {
    const hits = [
      { path: "ar:turn_1.user.prompt", turn_id: "turn_1", excerpt: "Hello there. [[S:1]]" },
      { path: "fi:turn_1.code.tc_1", turn_id: "turn_1", excerpt: "run()" },
      { path: "fi:turn_1.user.attachments/a.txt", turn_id: "turn_1", excerpt: "A text." },
    ];
    const desk = new Desk(ALL_TOOLS, (tool) => JSON.stringify(tool === "react.memsearch" ? { hits } : {}));
    desk.place = { kind: "sample", name: "corpus", titles };
    await desk.say("hello");
    const { text } = await desk.say("Who invented the zeppelin?");
    expect(text).toMatch(
      /^I searched, and found nothing about that in the sample library \(Cairn's documentation\) or in a\.txt and what was said earlier\./,
    );
    expect((await desk.say("What did we say about hello there?")).text).toContain(
      "From earlier in this conversation: “Hello there.”",
    );
  });

  it("is searched in English too, and Cairn's documentation also on its page of questions", async () => {
    const asked: string[] = [];
    const desk = new Desk(ALL_TOOLS, () => "[]");
    const queries = async (question: string) => {
      await desk.say(question);
      const view = readView(desk.request().view);
      asked.splice(0, asked.length, ...(JSON.parse(view.turns.at(-1)?.calls[0]?.params ?? "{}").queries ?? []));
      return [...asked];
    };
    desk.place = { kind: "folder", name: "papers", titles };
    expect(await queries("Wie lösche ich eine Unterhaltung?")).toEqual([
      "delete conversation",
      "Wie lösche ich eine Unterhaltung?",
    ]);
    desk.place = { kind: "sample", name: "corpus", titles };
    expect(await queries("How are notes kept?")).toEqual([
      "How are notes kept?",
      "Questions and answers: How are notes kept?",
    ]);
  });

  it("is never answered with a quotation of what the offline model said about itself", async () => {
    const answers: string[] = [];
    const hits = () => answers.map((excerpt, nth) => ({ path: `ar:turn_${nth}.assistant.completion`, excerpt }));
    const desk = new Desk(ALL_TOOLS, (tool) => JSON.stringify(tool === "react.memsearch" ? { hits: hits() } : {}));
    desk.place = { kind: "sample", name: "corpus", titles };
    for (const message of ["hello", "What is 2+2?", "Who invented the zeppelin?", "Wer hat den Zeppelin erfunden?"])
      answers.push((await desk.say(message)).text);
    answers.push("- “Friday is quoted.” [[S:1]]", "y own._", "The language model answers about Friday.");
    const { text } = await desk.say("Which language model can answer what I find and quote?");
    expect(text).toBe("- From earlier in this conversation: “The language model answers about Friday.”");
  });

  it("has pages, and a question about one of them by its title quotes only that page", async () => {
    const pages = { "https://a.test/": { sid: 1, content: "Tea grows on hills." } };
    const more = { "https://b.test/": { sid: 2, content: "The ferry leaves at noon." } };
    const desk = new Desk(ALL_TOOLS, () => JSON.stringify({ ...pages, ...more }));
    const page = (title: string, url: string) => ({ source_type: "web", title, url }) as const;
    desk.timeline.mergeSources([page("Tea", "https://a.test/"), page("The ferry", "https://b.test/")]);
    const { text } = await desk.say("What is “The ferry” about?");
    expect(text).toContain("“The ferry leaves at noon.” [[S:2]]");
    expect(text).not.toContain("hills");
  });

  it("is named when a search finds nothing, with the way to a language model", async () => {
    const desk = new Desk(ALL_TOOLS);
    desk.place = { kind: "folder", name: "papers", titles };
    const { text } = await desk.say("Who invented the zeppelin?");
    expect(text).toMatch(/^I searched, and found nothing about that in the library in the folder `papers`\./);
    expect(text).toContain("CAIRN_MODEL=anthropic:");
    const german = await desk.say("Wer hat den Zeppelin erfunden?");
    expect(german.text).toMatch(/^Ich habe die Bibliothek im Ordner `papers` durchsucht und nichts dazu gefunden\./);
  });
});
