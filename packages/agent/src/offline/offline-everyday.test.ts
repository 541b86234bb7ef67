/** Tests the offline model on everyday requests: its decisions on views that a real timeline renders. */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, Desk } from "../../test/offline-desk.ts";
import { decideOffline } from "./decide-offline.ts";
import { readView } from "./read-view.ts";

/** The first line of an answer on a day that the runtime announces. */
function askedOn(day: string, question: string): string {
  const { timeline } = new Desk();
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", question)]);
  timeline.announce([{ type: "react.announce", text: `time_utc: ${day}T16:45:00.000Z` }]);
  const view = readView(timeline.render({ includeSources: true, includeAnnounce: true }));
  const input = { documents: new Map(), offered: new Set<string>(), place: null, listing: null };
  return decideOffline({ ...input, timeline: view }).text.split("\n")[0] ?? "";
}

describe("sums, dates and units", () => {
  it("dates are counted from the date that the runtime announces", () => {
    expect(askedOn("2026-11-19", "How many days until Christmas?")).toBe("2026-12-25 − 2026-11-19 = 36 days");
    expect(askedOn("unknown", "How many days until Christmas?")).toBe("I do not know the time here.");
  });

  it("units are converted, and money is not", async () => {
    const desk = new Desk(ALL_TOOLS);
    expect((await desk.say("Convert 10 miles to km")).text).toMatch(/^10 mi = 16\.09344 km\n/);
    const { text, calls } = await desk.say("Convert 100 dollars to euros");
    expect(text).toBe(
      "100 $: I have no exchange rates, because they change daily. Look up the rate and ask me to multiply by it.",
    );
    expect(calls).toEqual([]);
  });
});

describe("requests that need a language model", () => {
  it("are refused without a search, with the way to use a language model", async () => {
    for (const request of ["Translate this into Spanish", "Write a poem about the sea", "Make it shorter"]) {
      const { text, calls } = await new Desk(ALL_TOOLS).say(request);
      expect(text).toMatch(/^I cannot .*: that takes a language model\..* CAIRN_MODEL=/);
      expect(calls).toEqual([]);
    }
  });

  it("a table is made from an attached table, and not from general knowledge", async () => {
    expect((await new Desk().say("Make a table of the planets")).text).toContain("I cannot fill a table");
    const { text } = await new Desk().say("Make a table of this", { "sales.csv": "city,sales\nTrier,3\nBonn,4\n" });
    expect(text).toContain("| Trier | 3 |");
  });
});

describe("a question about other models", () => {
  it("is answered with the address setting of a server such as Ollama", async () => {
    for (const question of [
      "How do I use Ollama as a model?",
      "Kann ich Ollama benutzen?",
      "Puis-je utiliser Ollama ?",
    ])
      expect((await new Desk(ALL_TOOLS).say(question)).text).toContain(
        "CAIRN_MODEL_BASE_URL=http://127.0.0.1:11434/v1",
      );
  });
});

describe("messages about the previous answer", () => {
  it("further quotations are those that were not quoted yet", async () => {
    const rents = Array.from({ length: 6 }, (_, nth) => `The rent of house ${nth} is ${nth}00 euros.`).join("\n\n");
    const desk = new Desk();
    const first = await desk.say("How much is the rent of each house?", { "rents.txt": rents });
    const more = await desk.say("tell me more");
    expect(first.text.match(/^- /gm)?.length).toBe(4);
    expect(more.text.match(/^- “The rent of house \d/gm)?.length).toBe(2);
    expect((await desk.say("continue")).text).toBe("I found nothing more about that.");
  });

  it("the offline model says that it reads from no cache, and where the causes of a miss are shown", async () => {
    const { text, calls } = await new Desk(ALL_TOOLS).say("Why was this not cached?");
    expect(text).toContain("the inspector (`Ctrl+I`) shows");
    expect(calls).toEqual([]);
  });
});

describe("other languages", () => {
  it("are answered in English, with the languages that are understood", async () => {
    const desk = new Desk();
    expect((await desk.say("Hola, ¿quién eres?")).text).toContain("I understand English, German and French.");
    expect((await desk.say("¿Y cuál es la fianza de la casa?")).text).toContain("I understand English");
    expect((await desk.say("Gracias")).text).toMatch(/^You're welcome!/);
  });

  it("a question that finds nothing in a document in another language says that words are compared", async () => {
    const { text } = await new Desk().say("Wie lange dauert die Kündigungsfrist?", {
      "menu.txt": "The kitchen is open.",
    });
    expect(text).toContain("Ich vergleiche Wörter und übersetze nicht");
  });
});

describe("what users say about themselves", () => {
  it("is answered from what they said, once, and never from the library", async () => {
    const desk = new Desk(ALL_TOOLS);
    const unknown = await desk.say("What is my name?");
    expect([unknown.text.split(".")[0], unknown.calls]).toEqual(["You have not told me that in this conversation", []]);
    expect(unknown.text).toContain("CAIRN_STANDING_ORDERS=user");
    await desk.say("My name is Jonas and I am vegetarian.");
    const known = await desk.say("What is my name?");
    expect(known.text).toBe("- From my notes: “My name is Jonas and I am vegetarian”");
  });

  it("is found by the name that they want, and forgotten by another form of its word", async () => {
    const desk = new Desk([...ALL_TOOLS, "react.note"]);
    await desk.say("Call me Sam");
    expect((await desk.say("What's my name?")).text).toContain("Call me Sam");
    await desk.say("I'm allergic to nuts");
    expect((await desk.say("Forget my allergy")).text).toContain("I no longer use “I'm allergic to nuts”");
    expect((await desk.say("What am I allergic to?")).text).toContain("You have not told me that");
    expect((await desk.say("Which files did I attach?")).text).toMatch(/^Nothing is attached/);
  });

  it("is forgotten in part, and the other half is kept with its standing order", async () => {
    const desk = new Desk([...ALL_TOOLS, "react.note"]);
    expect((await desk.say("Forget that I am allergic to peanuts")).text).toMatch(/^You have not told me that/);
    await desk.say("Remember that my name is Lena and I am allergic to peanuts.");
    expect((await desk.say("Forget that I am allergic to peanuts")).text).toMatch(
      /^I no longer use “I am allergic to peanuts\.” in/,
    );
    const closed = () => desk.timeline.payload().blocks.filter(({ text: said = "" }) => said.includes('"replaces"'));
    expect(closed()[0]?.text).toContain(
      '"replaces":"Remember that my name is Lena and I am allergic to peanuts.","text":"my name is Lena"',
    );
    const text = "my name is Lena\nIn place of: Remember that my name is Lena and I am allergic to peanuts.";
    const at = { turn: "turn_3", call: "tc_order", iteration: 1 };
    desk.timeline.contribute([make.blockOf(at, "react.note", "ar:turn_3.react.note.tc_order", { text })]);
    expect((await desk.say("What is my name?")).text).toBe("- From my notes: “my name is Lena”");
    expect((await desk.say("What do you know about me?")).text.match(/^- .*/gm)).toEqual([
      "- From my notes: “my name is Lena”",
    ]);
    expect((await desk.say("What am I allergic to?")).text).toContain("You have not told me that");
    await desk.say("Forget my name");
    expect(closed()[1]?.text).toContain('"replaces":"my name is Lena"}');
  });

  it("is forgotten if a standing order of another conversation says it", async () => {
    const desk = new Desk([...ALL_TOOLS, "react.note"]);
    const text = "Remember that I am allergic to peanuts.";
    const at = { turn: "turn_1", call: "tc_order", iteration: 1 };
    desk.timeline.contribute([
      make.header("turn_1"),
      make.blockOf(at, "react.note", "ar:turn_1.react.note.a", { text }),
    ]);
    expect((await desk.say("What am I allergic to?")).text).toContain("From my notes: “Remember that I am allergic");
    expect((await desk.say("Forget that I am allergic to peanuts")).calls).toEqual(["react.note"]);
    expect((await desk.say("What am I allergic to?")).text).toContain("You have not told me that");
  });

  it("is forgotten on request, and its standing order is closed", async () => {
    const desk = new Desk([...ALL_TOOLS, "react.note"]);
    await desk.say("Remember that my landlord is called Ada Weber.");
    await desk.say("Remember that my wifi password is hunter2");
    const { text, calls } = await desk.say("Forget my wifi password");
    expect([text.split(".")[0], calls]).toEqual([
      "I no longer use “my wifi password is hunter2” in my answers",
      ["react.note"],
    ]);
    const [call] = desk.timeline.payload().blocks.filter(({ text: said = "" }) => said.includes('"replaces"'));
    expect(call?.text).toContain('"replaces":"Remember that my wifi password is hunter2"');
    expect((await desk.say("What is my wifi password?")).text).toContain("You have not told me that");
    expect((await desk.say("What do you know about me?")).text).not.toContain("hunter2");
    expect((await desk.say("Forget that")).text).toContain("Ada Weber");
    expect((await desk.say("Forget that")).text).toContain("Standing orders");
  });
});

describe("quotations", () => {
  it("are found by a German or French question about everyday things", async () => {
    const desk = new Desk();
    const { text } = await desk.say("Wie hoch ist die Miete?", {
      "lease.txt": "The rent is 980 euros. Pets are welcome.",
    });
    expect(text.split("\n")[0]).toBe("- “The rent is 980 euros.” [[S:1]]");
    const both = await new Desk().say("Wie hoch ist die Miete und wann ist sie fällig?", {
      "contract.txt": "The monthly rent is 870 euros, payable by the third working day.",
    });
    expect(both.text).toContain("“The monthly rent is 870 euros, payable by the third working day.” [[S:1]]");
    expect((await desk.say("Quel est le loyer ?")).text).toBe("- “The rent is 980 euros.” [[S:1]]");
  });

  it("leave out a heading when a sentence answers", async () => {
    const { text } = await new Desk().say("What is the rent?", { "lease.md": "# Rent\n\nThe rent is 980 euros." });
    expect(text.match(/^- .*/gm)).toEqual(["- “The rent is 980 euros.” [[S:1]]"]);
  });

  it("answer a text without a request with its gist", async () => {
    const paragraph = (nth: number) =>
      `Hive ${nth} survived the winter. Keeper ${nth} fed the bees.\n\nNobody knows why house ${nth} did not.`;
    const letters = ["A", "B", "C", "D", "E"].map((_, nth) => paragraph(nth)).join("\n\nAnother day:\n\n");
    const { text } = await new Desk().say(letters);
    expect(text).toContain("(your message)");
    expect(new Set(text.match(/^- .{12}/gm)).size).toBeGreaterThan(1);
  });

  it("include the code that a sentence announces, and name the columns of a row", async () => {
    const page = [
      ...["Mount the handler in Express:", "", "```ts", "app.use(handler);", "", "listen();", "```", ""],
      ...["| framework | package |", "|---|---|", "| Hono | `hono-cairn` |", "", "See [the guide](guide.md)."],
    ].join("\n");
    const desk = new Desk();
    const { text } = await desk.say("How do I mount the handler in Express?", { "page.md": page });
    expect(text).toContain(
      "- “Mount the handler in Express:” [[S:1]]\n  ```ts\n  app.use(handler);\n\n  listen();\n  ```",
    );
    expect((await desk.say("Which package is for Hono?")).text).toContain(
      "framework: “Hono” · package: “`hono-cairn`” [[S:1]]",
    );
    const part = "| `cairn export` | writes a file |\n| `cairn import` | reads a file |";
    const row = await new Desk().say("What does cairn import do?", { "part.md": part });
    expect(row.text).toContain("- “`cairn import` | reads a file” [[S:1]]");
    expect((await desk.say("Where is the guide?")).text).toContain("“See the guide.” [[S:1]]");
  });

  it("of a summary are from every part of a text, as many as asked for, and differ", async () => {
    const parts = ["bees live in hives", "wolves hunt in packs", "whales sing in the deep sea", "owls see in the dark"];
    const lines = parts.flatMap((part) =>
      ["often", "always", "seldom"].map((often) => `It is ${often} said that ${part}.`),
    );
    const desk = new Desk();
    const { text } = await desk.say("Summarise this in 4 sentences", { "animals.txt": lines.join(" ") });
    for (const part of parts) expect(text).toContain(part);
    const short = await desk.say("Summarise animals.txt in two sentences");
    expect(short.text.match(/^- /gm)).toEqual(["- ", "- "]);
  });
});

describe("charts", () => {
  it("a request for another form keeps the columns of the request before", async () => {
    const reply = "Runtime error: none\nSucceeded:\n- turn_1/files/sales-chart.svg\n";
    const desk = new Desk(ALL_TOOLS, () => reply);
    const drawn = await desk.say("Plot sales per city", {
      "sales.csv": "city,year,sales\nTrier,2025,3\nBonn,2026,4\n",
    });
    expect(drawn.text).toContain("computed this with fixed rules");
    await desk.say("now as a pie chart");
    const calls = desk.timeline.payload().blocks.filter(({ type }) => type === "react.tool.call");
    expect(calls.at(-1)?.text).toContain('[\\"now as a pie chart\\",\\"plot sales per city\\"');
  });
});

describe("a file that was written here", () => {
  it("is changed in plain words, and shown", async () => {
    const desk = new Desk(ALL_TOOLS);
    const first = await desk.say("Write a file shopping.md with: milk, bread, eggs");
    expect(first.text).toContain("I wrote the file as you gave it");
    const added = await desk.say("Add butter to the file");
    expect([added.calls, desk.written.get(`${added.turn}/files/shopping.md`)]).toEqual([
      ["react.write"],
      "milk, bread, eggs, butter\n",
    ]);
    expect(added.text).toContain("```text\nmilk, bread, eggs, butter\n```");
    await desk.say("Replace milk with oat milk");
    expect((await desk.say("What is in shopping.md?")).text).toContain("oat milk, bread, eggs, butter");
    const unchanged = await desk.say("remove cheese");
    expect([unchanged.text, unchanged.calls]).toEqual([
      "shopping.md does not contain “cheese”, so I changed nothing.",
      [],
    ]);
  });

  it("is written as it was before the last change, and never deleted", async () => {
    const desk = new Desk(ALL_TOOLS);
    expect((await desk.say("undo that")).text).toMatch(/^No file of this conversation has a version before/);
    await desk.say("Write a file shopping.md with the items milk, bread and eggs");
    await desk.say("delete the line with bread");
    await desk.say("Replace milk with tea");
    for (const content of ["- milk\n- eggs\n", "- milk\n- bread\n- eggs\n"]) {
      const { turn } = await desk.say("Undo the last change");
      expect(desk.written.get(`${turn}/files/shopping.md`)).toBe(content);
    }
    expect((await desk.say("undo that")).calls).toEqual([]);
    for (const request of ["delete shopping.md", "Delete the file"]) {
      const { text, calls } = await desk.say(request);
      expect([text, calls]).toEqual([expect.stringMatching(/^I cannot delete shopping\.md: a conversation keeps/), []]);
    }
  });

  it("that is attached is shown by a click, and not quoted", async () => {
    const page = { "page.html": "<h1>Tea</h1><p>This page shows tea.</p>" };
    const { text } = await new Desk().say("show this page", page);
    expect(text).toMatch(/^To see page\.html, click on the file in your message\./);
    expect((await new Desk().say("show me the tea", page)).text).toContain("“");
  });

  it("a question about adding something is a question", async () => {
    const desk = new Desk();
    await desk.say("Write a file shopping.md with: milk, bread, eggs");
    const { text } = await desk.say("Add up the rent", { "rent.txt": "The rent adds up to 900 euros." });
    expect(text).toContain("900 euros");
  });
});
