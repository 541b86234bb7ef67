import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { intentOf } from "./intent.ts";

const report = (topic: string, ...formats: string[]) => ({ kind: "report", topic, formats });
const render = (...formats: string[]) => ({ kind: "render", formats });
const setup = { kind: "setup" };
const file = (name: string, content: string) => ({ kind: "file", file: { name, content: `${content}\n` } });
const run = (language: string, code: string) => ({ kind: "run", language, code });

it.each([
  ["what can you help me with?", "identity"],
  ["Kannst du mir bei einer Rechnung helfen?", "identity"],
  ["here is a file", "reply"],
  ["Here is the thing: what is a turn?", "question"],
])("%s is understood as %s", (message, kind) => {
  expect(intentOf(message).kind).toBe(kind);
});

it.each([
  "now as a line chart by date",
  "Can you make it a pie chart?",
  "Jetzt als Kreisdiagramm bitte",
  "et en camembert",
])("%s asks for a chart", (message) => {
  expect(intentOf(message)).toEqual({ kind: "plot" });
});

it("a report about what is researched first has that topic", () => {
  expect(intentOf("Research how sandboxing works in Cairn, write a report about it and turn it into a PDF")).toEqual({
    kind: "report",
    topic: "how sandboxing works in Cairn",
    formats: ["pdf"],
  });
  expect(intentOf("Look up tea and then write a summary of it")).toMatchObject({ kind: "report", topic: "tea" });
});

describe("a message", () => {
  it.each<[string, object]>([
    ["Write a report about mountain rescue", report("mountain rescue")],
    ["Write a report about mountain rescue as a PDF", report("mountain rescue", "pdf")],
    ["how do I set up a real model?", setup],
    ["Which models can I use?", setup],
    ["Wie richte ich ein richtiges Sprachmodell ein?", setup],
    ["Comment utiliser un vrai modèle ?", setup],
    ["Write a report about “Mount it in your application”", report("Mount it in your application")],
    ["Schreibe einen Bericht über „The server“", report("The server")],
    ["write a short report about erosion and save it as pdf, docx and pptx.", report("erosion", "pdf", "docx", "pptx")],
    ["Prepare a memo on the winter plan, as a Word document and a PDF", report("the winter plan", "pdf", "docx")],
    ["Make slides about the history of the cairns", report("the history of the cairns", "pptx")],
    ["Write a report about this as a PDF", report("this", "pdf")],
    ["Make a PDF about word processing in fog", report("word processing in fog", "pdf")],
    ["Make it a PDF", render("pdf")],
    ["Turn the report into slides and a png", render("pptx", "png")],
    ["Convert this to docx please", render("docx")],
    ["Give me a PDF of the report", render("pdf")],
    ["now as a png", render("png")],
    ["And as slides too, please!", render("pptx")],
    ["What did I ask first?", { kind: "recall", which: "first" }],
    ["what was my very first question", { kind: "recall", which: "first" }],
    ["What did I say at the beginning?", { kind: "recall", which: "first" }],
    ["What did I just ask you?", { kind: "recall", which: "last" }],
    ["What were my questions so far?", { kind: "recall", which: "all" }],
    ["What did I say about tea?", { kind: "question", text: "What did I say about tea?" }],
    ["What did I ask first thing about rent?", { kind: "question", text: "What did I ask first thing about rent?" }],
    ["search for lichen", { kind: "search", query: "lichen" }],
    ["Look up how fast lichen grows", { kind: "search", query: "how fast lichen grows" }],
    ["remember that the key is under the stone", { kind: "remember", what: "the key is under the stone" }],
    ["What does the PDF say about rent?", { kind: "question", text: "What does the PDF say about rent?" }],
    ["Who wrote the slides?", { kind: "question", text: "Who wrote the slides?" }],
  ])("%j is understood", (message, intent) => {
    expect(intentOf(message)).toEqual(intent);
  });

  it.each<[string, object]>([
    ["ok", { kind: "reply" }],
    ["Ja, gut!", { kind: "reply" }],
    ["Why is the sky blue?", { kind: "question", text: "Why is the sky blue?" }],
    ["Can you help me?", { kind: "identity" }],
    ["Was kann ich hier tun?", { kind: "identity" }],
    ["Can I use GPT-4?", setup],
    ["Does Cairn work with Ollama?", setup],
    ["Kann ich ChatGPT benutzen?", setup],
    ["how much does it cost?", { kind: "cost" }],
    ["Was kostet das?", { kind: "cost" }],
    ["What does a checkpoint cost?", { kind: "question", text: "What does a checkpoint cost?" }],
    ["what day is it today?", { kind: "now" }],
    ["Wie spät ist es?", { kind: "now" }],
    ["What time does the kitchen close?", { kind: "question", text: "What time does the kitchen close?" }],
    ["forget that", { kind: "forget" }],
    ["Vergiss nicht, dass ich Tee mag", { kind: "remember", what: "ich Tee mag" }],
    ["My name is Anna.", { kind: "remember", what: "My name is Anna" }],
    ["Ich heiße Anna", { kind: "remember", what: "Ich heiße Anna" }],
    ["I am looking for a hotel", { kind: "question", text: "I am looking for a hotel" }],
    ["My question is how it works", { kind: "question", text: "My question is how it works" }],
    ["Make a pie chart of the revenue", { kind: "plot" }],
    ["Always answer in at most two sentences", { kind: "rule", rule: "Always answer in at most two sentences" }],
    ["Antworte immer auf Deutsch.", { kind: "rule", rule: "Antworte immer auf Deutsch." }],
    ["Réponds toujours en français", { kind: "rule", rule: "Réponds toujours en français" }],
    ["Never again!", { kind: "question", text: "Never again!" }],
    ["Always the same error: what is it?", { kind: "question", text: "Always the same error: what is it?" }],
    ["Write a file notes.md with: Buy milk", file("notes.md", "Buy milk")],
    ["Schreibe eine Datei notiz.txt mit: Milch", file("notiz.txt", "Milch")],
    ["create a file hello.html with a heading that says Hello", file("hello.html", "<h1>Hello</h1>")],
    ["make me a to-do list with: milk, bread and eggs", file("list.md", "- [ ] milk\n- [ ] bread and eggs")],
    ["Create a file s.md with the items milk, eggs and bread", file("s.md", "- milk\n- eggs\n- bread")],
    ["Create a file list.txt containing: apples, pears", file("list.txt", "apples, pears")],
    ["Save this as a.mmd:\n```mermaid\ngraph TD; A-->B\n```", file("a.mmd", "graph TD; A-->B")],
    ["```mermaid\ngraph TD; C-->D\n```", file("diagram.mmd", "graph TD; C-->D")],
    [
      "Write a file notes.txt with this content:\n```\none\n\n  two\nthree\n```",
      file("notes.txt", "one\n\n  two\nthree"),
    ],
    [
      "Write a file index.html with this content:\n\n```html\n<h1>A</h1>\n<p>B</p>",
      file("index.html", "<h1>A</h1>\n<p>B</p>"),
    ],
    ["Write a file a.md with:\nBefore\n```\nx\ny\n```\nAfter", file("a.md", "Before\n```\nx\ny\n```\nAfter")],
    ["Write a.md: \n```\nx\n```\n\n```\ny\n```", file("a.md", "```\nx\n```\n\n```\ny\n```")],
    ["Write a.md, please, as follows:\n````\nx\n```\ny\n```\n````", file("a.md", "x\n```\ny\n```")],
    ["Write a file a.yml with:\n  a: 1\n  b: 2", file("a.yml", "  a: 1\n  b: 2")],
    ['Write a file a.txt with: "Yes" or "No"', file("a.txt", '"Yes" or "No"')],
    ["Write a file a.md with: Title: one\ntwo", file("a.md", "Title: one\ntwo")],
    ["```mermaid\ngraph TD;\nA-->B\nB-->C\n```", file("diagram.mmd", "graph TD;\nA-->B\nB-->C")],
    ["Please draw this:\n```svg\n<svg/>\n```", file("picture.svg", "<svg/>")],
    ["Make an HTML page that says: Hello", file("page.html", "<p>Hello</p>")],
    ["Make an HTML page with a button", { kind: "file", file: { name: "page.html", content: null } }],
    ["Create an SVG file", { kind: "file", file: { name: "picture.svg", content: null } }],
    ["Write a report about sales.csv", report("sales.csv")],
    ["thanks!", { kind: "thanks" }],
    ["Great, thank you very much 🙏", { kind: "thanks" }],
    ["Thanks, that helped!", { kind: "thanks" }],
    ["Danke schön", { kind: "thanks" }],
    ["Vielen Dank!", { kind: "thanks" }],
    ["Merci beaucoup.", { kind: "thanks" }],
    ["Thanks! Search for lichen", { kind: "question", text: "Thanks! Search for lichen" }],
    ["Thank you, what does it cost?", { kind: "question", text: "Thank you, what does it cost?" }],
    ["what do you know about me?", { kind: "known" }],
    ["What have you remembered?", { kind: "known" }],
    ["Tell me what you know about me", { kind: "known" }],
    ["Was weißt du über mich?", { kind: "known" }],
    ["Que sais-tu de moi ?", { kind: "known" }],
    ["What do you know about tea?", { kind: "question", text: "What do you know about tea?" }],
    ["what is in the library?", { kind: "library" }],
    ["Which documents do you have?", { kind: "library" }],
    ["Was ist in der Bibliothek?", { kind: "library" }],
    ["Welche Dokumente hast du?", { kind: "library" }],
    ["Qu’y a-t-il dans la bibliothèque ?", { kind: "library" }],
    ["Quels documents as-tu ?", { kind: "library" }],
    ["plot this csv", { kind: "plot" }],
    ["Plot sales by city", { kind: "plot" }],
    ["Plot of Hamlet?", { kind: "question", text: "Plot of Hamlet?" }],
    ["Draw a bar chart of the sales", { kind: "plot" }],
    ["Zeichne ein Balkendiagramm", { kind: "plot" }],
    ["Trace un graphique des ventes", { kind: "plot" }],
    ["Write a report about the org chart", report("the org chart")],
    ["Hallo!", { kind: "greeting" }],
    ["Bonjour", { kind: "greeting" }],
    ["Wer bist du?", { kind: "identity" }],
    ["Qui es-tu ?", { kind: "identity" }],
    [
      "Merke dir, dass der Schlüssel unter dem Stein liegt",
      { kind: "remember", what: "der Schlüssel unter dem Stein liegt" },
    ],
    ["Bitte notiere dir: Käse kaufen", { kind: "remember", what: "Käse kaufen" }],
    ["Retiens que la clé est sous la pierre", { kind: "remember", what: "la clé est sous la pierre" }],
    ["Note que l’été est chaud", { kind: "remember", what: "l’été est chaud" }],
    ["Schreibe einen Bericht über die Bergrettung als PDF", report("die Bergrettung", "pdf")],
    ["Schreibe einen Bericht über Äpfel und Brücken", report("Äpfel und Brücken")],
    ["Écris un rapport sur l’érosion en PDF", report("l’érosion", "pdf")],
    ["Mach daraus ein PDF", render("pdf")],
    ["Und jetzt als Folien bitte", render("pptx")],
    ["Transforme le rapport en PDF", render("pdf")],
    ["Suche nach Flechten", { kind: "search", query: "Flechten" }],
    ["Cherche des informations sur les lichens", { kind: "search", query: "les lichens" }],
    ["Was habe ich zuerst gefragt?", { kind: "recall", which: "first" }],
    ["Was war meine letzte Frage?", { kind: "recall", which: "last" }],
    ["Qu’ai-je demandé avant ?", { kind: "recall", which: "last" }],
    ["Quelles étaient mes questions ?", { kind: "recall", which: "all" }],
  ])("%j is understood, in each language", (message, intent) => {
    expect(intentOf(message)).toEqual(intent);
  });

  it.each(["what is 12 * (3 + 4.5)?", "15% of 80", "2^10", "Wie viel ist 3 mal 4?", "Combien font 3 fois 4 ?"])(
    "%j is arithmetic",
    (message) => expect(intentOf(message).kind).toBe("arithmetic"),
  );

  it.each<[string, object]>([
    ["Run this:\n```python\nprint(1)\n```", run("python", "print(1)\n")],
    ["```py\nprint(1)\n```\nPlease run that.", run("python", "print(1)\n")],
    ["```python\nprint(1)\n```", run("python", "print(1)\n")],
    ["Execute this JavaScript\n```\n1 + 1\n```", run("js", "1 + 1\n")],
    ["run ```js\nlet a = `b`;\n", run("js", "let a = `b`;")],
  ])("with a program and the wish to run it, or with a program alone, is a program: %j", (message, intent) => {
    expect(intentOf(message)).toEqual(intent);
  });

  it.each([
    "Look:\n```python\nprint(1)\n```",
    "```\nprint(1)\n```",
    "Run this:\n```rust\nfn main() {}\n```",
    "Run ```",
    "Run:\n```python\n\n```",
  ])("that asks to run nothing, or nothing that can run, is not a program: %j", (message) =>
    expect(intentOf(message).kind).not.toBe("run"),
  );

  it("of any kind gets an intent, in time proportional to its length", () => {
    const pieces = fc.constantFrom(
      "write ",
      "a report ",
      "about ",
      "as a PDF",
      "```",
      "\n",
      "run ",
      "and ",
      "in ",
      " , ",
      "what did i ",
      "before ",
      "danke ",
      "merci ",
      "zeichne ",
      "ein ",
      "1 + ",
      "what is ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.array(pieces).map((all) => all.join("")),
        ),
        (message) => {
          expect(intentOf(message)).toEqual(intentOf(message));
        },
      ),
      { numRuns: runs },
    );
    for (const piece of [
      "as a ",
      "and a pdf ",
      "``` ",
      "make ",
      "about ",
      "word ",
      "ok ",
      "merci ",
      "please ",
      "zeichne mir ",
    ])
      expect(intentOf(piece.repeat(50_000)).kind).toBeTypeOf("string");
  });
});
