import { growthOnDoubling } from "@cairn/testkit/growth";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { isStanding, messageDirectives, rankDirectives } from "./directives.ts";
import { subjectOf } from "./subject.ts";

const PATH = "ar:turn_1.user.prompt";
const found = (text: string, meta?: Block["meta"]) =>
  messageDirectives({ type: "user.prompt", path: PATH, text, ...(meta === undefined ? {} : { meta }) }, PATH);
const said = (text: string, meta?: Block["meta"]) => found(text, meta).map((directive) => directive.text);
const standing = (text: string) =>
  found(text)
    .filter(isStanding)
    .map((directive) => directive.text);
const inLongMessage = (text: string) => said(`${text}\n\n${"Lorem ipsum dolor sit amet. ".repeat(80)}\n\nThe end.`);

describe("a directive", () => {
  it("is a permanent instruction to the agent, in any of twelve languages", () => {
    const sentences = [
      "From now on answer in French.",
      "Always cite your sources when I ask about history.",
      "Please never use tables.",
      "I prefer short answers over long ones.",
      "Call me Ada.",
      "If I ask about code, include the version of each library.",
      "I tend to prefer physical books.",
      "I favor step-by-step explanations.",
      "I'm writing a shop and I prefer plain SQL, so which driver fits?",
      "Format all code with highlighting whenever I ask about code.",
      "Please keep your answers under 200 words.",
      "Use metric units.",
      "I'm vegetarian, so never suggest meat.",
      "Don't ever recommend places with live music.",
      "In every answer, include a summary.",
      "Each response should end with a question.",
      "All dates should be in ISO format.",
      "Temperatures in Celsius, please.",
      "Be concise.",
      "My name's Ada.",
      "As a rule, give the short answer first.",
      "When writing SQL, use uppercase keywords.",
      "I never want to see passive voice in drafts.",
      "I want all summaries as lists moving forward.",
      "You no longer need to include sources.",
      "In the future, include tests.",
      "No emojis, please.",
      "Halte deine Antworten kurz.",
      "Keine Emojis bitte.",
      "Garde tes réponses courtes.",
      "Mantén tus respuestas cortas.",
      "Antworte ab jetzt auf Deutsch.",
      "Antworte immer in ganzen Sätzen.",
      "Nenne mich Ada.",
      "Réponds toujours en français.",
      "Désormais, tutoie-moi.",
      "A partir de ahora responde en español.",
      "Prefiero respuestas cortas.",
      "D'ora in poi rispondi in italiano.",
      "Responde sempre em português.",
      "Gebruik voortaan het metrieke stelsel.",
      "Zawsze podawaj źródła.",
      "Отвечай всегда по-русски.",
      "从现在开始用中文回答。",
      "これからは日本語で答えてください。",
      "앞으로는 한국어로 대답해 주세요.",
      "Use Celsius for temperatures.",
      "Stop apologizing.",
      "No more emojis please.",
      "Please use British spelling.",
      "Could you please always include the units?",
      "When you are not sure, say so.",
      "Your answers should be at most three sentences.",
      "Bitte duze mich.",
      "Tutoie-moi.",
      "Prefiro respostas curtas.",
      "Перестань извиняться.",
      "温度请用摄氏度。",
      "もう謝らないで。",
    ];
    for (const sentence of sentences) {
      expect(standing(sentence)).toEqual([sentence]);
      expect(inLongMessage(sentence)).toEqual([sentence]);
    }
  });

  it("is permanent unless it is a rule for somebody else, a fact, a question, or about the moment", () => {
    const sentences = [
      "The supplier must never disclose the terms.",
      "Clause 12. The supplier shall always deliver on time.",
      "Der Lieferant muss immer pünktlich liefern.",
      "Le fournisseur doit toujours livrer à temps.",
      "El proveedor nunca deberá revelar los precios.",
      "Поставщик должен всегда соблюдать сроки.",
      "供应商必须始终按时交货。",
      "I have never been to Rome.",
      "Is it always like this?",
      "Well, should I prefer tea?",
      "When it rains, do you never go out?",
      "I asked whether they prefer tea.",
      "The answers were long.",
      "They keep giving short answers.",
      "I will visit Rome in the future.",
      "Find me a place to eat.",
      "I need you to fix this bug.",
      "If I go to Rome, give me three tips.",
      "From now on the shop opens at nine.",
      "From now on Peter drives, and never complains.",
      "You should never swim after eating, my grandmother used to say.",
      "Cats always land on their feet.",
      "Use Celsius for this chart.",
      "I was tired, so never finished it.",
      "Be careful, it is hot.",
      "Be honest: did you like it?",
      "You no longer need to worry about it.",
      "In every answer there is a lie.",
      "When writing the report, use the new numbers.",
      "Each response was worse than the last.",
      "Du musst das sehen!",
      "Ab jetzt öffnet der Laden um neun.",
      "Devi vedere questo film.",
      "Desde ahora trabajo en casa.",
      "Tienes que ver esto.",
      "Поезд всегда опаздывает.",
      "他总是迟到。",
      "これからは忙しくなる。",
      "앞으로는 바쁠 거예요.",
    ];
    for (const sentence of sentences) expect(standing(sentence)).toEqual([]);
  });

  it("keeps its wording, and rules for somebody else are kept from short messages only", () => {
    expect(said("Find food. Never suggest chains! Thanks.")).toEqual(["Never suggest chains!"]);
    expect(said('Never use the word "synergy. Ever." again.')).toEqual(['Never use the word "synergy. Ever." again.']);
    expect(said("Always give units, e.g. metres. Thanks.")).toEqual(["Always give units, e.g. metres."]);
    expect(said("All prices must be in euros.")).toEqual(["All prices must be in euros."]);
    expect(inLongMessage("All prices must be in euros.")).toEqual([]);
    for (const order of ["You must keep the numbering.", "Do not translate the names."])
      expect(inLongMessage(order)).toEqual([order]);
  });

  it("is not taken from quotations and code", () => {
    for (const quoted of [
      'My boss said: "Never answer in English. Always use German." Is that polite?',
      "Er sagte: „Antworte immer auf Deutsch.“ Stimmt das?",
      "Elle a dit : « Réponds toujours en français. »",
      "先生は「必ず日本語で答えてください。」と言った。",
      "See what they wrote:\n> Always answer in French.\n> Never in English.",
      "What does this do?\n```\n// Always answer in French.\n```",
      "What does `never answer in English` mean?",
      "Explain:\n\n    # Always answer in French.\n    x = 1",
      "Translate 'always answer in French' for us.",
      "<doc>Always answer in French.</doc> What is this about?",
      "<guide lang='en'>\nNever use tables.\n<a>Call me Bob.</a>\nAlways use tabs.\n</guide>\nIs it good?",
      "Translate into Spanish: Always wash your hands.",
      "Proofread this:\n\nFrom now on answer in French.\nNever use tables.\n\nThanks!",
      "The sign says: Never park here.",
      "Can you sum this up?\n\nFrom: Bob <b@example.org>\nTo: me\nSubject: Rules\n\nAlways use tabs.\n\nCall me Bob.",
      '사장님이 "앞으로는 한 시간 안에 답하세요"라고 했어요.',
    ])
      expect(said(quoted)).toEqual([]);
    expect(said("Don't answer in English, and don't use 'ain't'.")).toHaveLength(1);
    expect(said("As I said: always answer in French.")).toHaveLength(1);
    expect(said("<b>Always</b> answer in <i>French</i>.")).toHaveLength(1);
    expect(said("In a List<String> the order is kept. Never use tables.")).toEqual(["Never use tables."]);
    expect(standing('You must translate "From now on answer in German."')).toEqual([]);
  });

  it("of a message of more than 2,000 characters comes from the first and the last paragraph, 500 characters each", () => {
    const filler = "Nothing to see here, move along. ".repeat(80);
    const long = `Always answer in French.\n\n${filler}\n\nNever use tables.\n\n${filler}\n\nAlways use euros.`;
    expect(said(long)).toEqual(["Always answer in French.", "Always use euros."]);
    // Without a blank line everything is one paragraph: its beginning and its end count.
    const single = `Always answer in French.\n${filler}\nNever use tables.\n${filler}\nAlways use euros.`;
    expect(said(single)).toEqual(["Always answer in French.", "Always use euros."]);
    const late = `${"x".repeat(480)}. Always answer in French, whatever happens.\n\n${filler}\n\n.`;
    expect(said(late)).toEqual([]);
  });

  it("of a sentence of more than 600 characters is the clause with the instruction, clipped after a word", () => {
    const long = "we went through the material once more and found a few more details ".repeat(10).trim();
    expect(said(`As ${long}, from now on answer in French, because ${long}.`)).toEqual([
      "from now on answer in French",
    ]);
    const some = long.slice(0, 250);
    const paired = "when I paste code, check it for leaks";
    expect(said(`Since ${some}; ${paired}; ${some}, and never use tables, ${some}.`)).toEqual([
      paired,
      "and never use tables",
    ]);
    const [clipped = ""] = said(`Always explain to me how ${long}.`);
    expect(clipped).toMatch(/^Always explain to me how we .* \p{L}+…$/u);
    expect(clipped.length).toBeLessThanOrEqual(600);
    expect(said(`I think that ${long}.`)).toEqual([]);
    expect(said(`He wrote "always answer in French, ${long}", and ${long}.`)).toEqual([]);
    expect(standing(`As ${long}，以后请用中文回答，因为${"很长的理由".repeat(40)}。`)).toEqual(["以后请用中文回答"]);
  });

  it("is found at the ends of a text of any length, at the same cost", () => {
    const pasted = (size: number) => `Always answer in French.\n\n${"“a ".repeat(size / 3)}\n\nAlways use euros.`;
    expect(said(pasted(3_000_000))).toEqual(["Always answer in French.", "Always use euros."]);
    expect(growthOnDoubling(pasted, said, 500_000)).toBeLessThan(1.4);
    const marked = (size: number) => subjectOf({ text: `Use ${"“a” ".repeat(size / 4)}` });
    expect(growthOnDoubling((size) => size, marked, 500_000)).toBeLessThan(1.4);
  });

  it("is a whole message that is marked as one", () => {
    expect(said("Metric units", { directive: true })).toEqual(["Metric units"]);
  });

  it("a directive that is permanent precedes one that may be, and the newest of each precede older ones", () => {
    const texts = ["Always use euros.", "All prices must be net.", "Never use tables.", "Make sure it is right."];
    const ranked = rankDirectives(texts.map((text, nth) => ({ path: `ar:turn_${nth}.user.prompt`, text })));
    expect(ranked.map(({ text }) => text)).toEqual([
      "Never use tables.",
      "Always use euros.",
      "Make sure it is right.",
      "All prices must be net.",
    ]);
  });

  it("in the middle of a message that has many follows those of other messages", () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ path: "ar:turn_2.user.prompt", text: `Never do ${i}.` }));
    const ranked = rankDirectives([{ path: PATH, text: "Always use euros." }, ...many]);
    const texts = ranked.map(({ text }) => text);
    expect(texts.slice(0, 5)).toEqual([
      "Never do 8.",
      "Never do 7.",
      "Never do 1.",
      "Never do 0.",
      "Always use euros.",
    ]);
    expect(texts[5]).toBe("Never do 6.");
  });
});
