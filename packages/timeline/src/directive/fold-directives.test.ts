import { describe, expect, it } from "vitest";
import { type Directive, isStanding } from "./directives.ts";
import { foldDirectives } from "./fold-directives.ts";
import { kindOf } from "./kind.ts";

const said = (...texts: readonly string[]): Directive[] =>
  texts.map((text, nth) => ({ path: `ar:turn_${nth}.user.prompt`, text }));
const fold = (earlier: readonly Directive[], later: readonly Directive[]) =>
  foldDirectives({ directives: earlier, closed_orders: [] }, later);
const held = (...texts: readonly string[]) => fold([], said(...texts)).directives.map(({ text }) => text);

describe("a later order", () => {
  it.each([
    ["From now on answer in French.", "From now on reply in German, please."],
    ["Antworte ab jetzt auf Deutsch.", "Antworte ab jetzt auf Englisch."],
    ["Call me Bob.", "From now on, call me Robert."],
    ["Always use metric units.", "From now on use imperial units."],
    ["Always give temperatures in Celsius.", "Always give temperatures in Fahrenheit."],
    ["From now on, give prices in euros.", "From now on, quote prices in dollars."],
    ["Always use bullet points.", "Never use bullet points."],
    ["I prefer short answers.", "I prefer detailed answers."],
    ["I prefer tea over coffee.", "I prefer coffee over tea."],
    ["Always answer in French when I write to Marie.", "Always answer in English."],
    ["Always give temperatures in Celsius.", "From now on use Fahrenheit."],
    ["Keep your answers short and to the point.", "From now on give detailed answers."],
    ["Responde siempre en español.", "A partir de ahora responde en inglés."],
    ["Réponds toujours en français.", "À partir de maintenant, réponds en anglais."],
    ["Отвечай всегда по-русски.", "С этого момента отвечай по-английски."],
    ["从现在开始用中文回答。", "从现在开始用英文回答。"],
    ["Use Celsius.", "Give temperatures in Fahrenheit."],
    ["Please use British spelling.", "Use American spelling."],
    ["Bitte duze mich.", "Bitte sieze mich."],
    ["Tutoie-moi.", "Vouvoyez-moi, s'il vous plaît."],
    ["No more emojis please.", "You can use emojis again."],
    ["Avoid jargon.", "Don't use jargon."],
    ["Always include sources.", "Stop including sources."],
    ["Always include sources.", "You no longer need to include sources."],
    ["Always cite sources.", "You don't have to cite sources anymore."],
    ["Limit your answers to 100 words.", "From now on limit your answers to 200 words."],
    ["Prefiro respostas curtas.", "Prefiro respostas longas."],
    ["Quiero que siempre respondas en inglés.", "A partir de ahora responde en español."],
    ["Call me Ada.", "No, call me Max."],
    ["これからは日本語で答えてください。", "これからは英語で答えてください。"],
  ])("replaces one on the same subject: %s → %s", (first, second) => {
    expect(held(first, second)).toEqual([second]);
  });

  it.each([
    ["Always cite sources when I ask about history.", "Always cite sources when I ask about physics."],
    ["From now on answer in French.", "Always write code comments in English."],
    ["Never suggest number 1.", "Never suggest number 2."],
    ["Always use euros for prices.", "Always give temperatures in Celsius."],
    ["Never mention my age.", "Never mention my address."],
    ["Call me Ada.", "Don't call me sir."],
    ["Don't call me sir.", "Call me Ada."],
    ["Stop apologizing.", "Stop asking me what else I need."],
    ["From now on answer in French.", "Answer in English this time."],
    ["From now on answer in French.", 'You must write: "From now on answer in German."'],
    ["From now on answer in French.", 'Always say "Answer in German" to them.'],
    ["Always use it.", "Never say that."],
    ["I prefer Italian food.", "Always answer in English."],
    ["Never book long flights.", "I prefer short answers."],
    ["Never plan hikes over ten miles.", "Always use kilometers."],
  ])("is kept beside one on another subject: %s / %s", (first, second) => {
    expect(held(first, second)).toEqual([first, second]);
  });

  it.each([
    "Please call me back at five.",
    "He said he'd call me tomorrow.",
    "My mom used to call me Bunny.",
    "Can you call me a taxi?",
    "My name is on the list.",
  ])("is not an order about the name: %s", (text) => {
    const name = "Call me Sam.";
    expect(held(name, text).filter((each) => isStanding({ path: "", text: each }))).toEqual([name]);
  });

  it.each(["You can call me Alex.", "I want you to call me Alex.", "Don't call me Sam.", "My name is Alex."])(
    "on the name replaces another: %s",
    (text) => {
      expect(held("Call me Sam.", text)).toEqual([text]);
    },
  );

  it("closes the orders it names, and one without text does nothing else", () => {
    const [first, second] = said("Always use tables.", "Never mention my age.");
    if (first === undefined || second === undefined) throw new Error("nothing was said");
    const close = { path: "ar:turn_9.react.note.1", text: "", marked: true, closes: [first] };
    expect(fold([first, second], [close])).toEqual({ directives: [second], closed_orders: [{ text: first.text }] });
    const correct = { ...close, text: "Use tables for prices.", kind: "format", closes: [first] };
    const { closes: _, ...corrected } = correct;
    expect(fold([first, second], [correct]).directives).toEqual([second, corrected]);
  });

  it("is remembered as closed when another has replaced it, until it is said again", () => {
    const [french, german] = said("From now on answer in French.", "From now on answer in German.");
    const closed = (...later: readonly (Directive | undefined)[]) =>
      fold(
        [],
        later.filter((each) => each !== undefined),
      ).closed_orders.map(({ text }) => text);
    expect(closed(french, german)).toEqual([french?.text]);
    expect(closed(french, german, french)).toEqual([german?.text]);
  });

  it("a later order that is said again counts as the latest", () => {
    expect(held("Never mention my age.", "Always use tables.", "Never mention my age.")).toEqual([
      "Always use tables.",
      "Never mention my age.",
    ]);
  });
});

describe("the kind of an order", () => {
  it.each([
    ["Call me Ada.", "name"],
    ["From now on answer in French.", "language"],
    ["Always give temperatures in Celsius.", "units"],
    ["Always use bullet points.", "format"],
    ["I prefer short answers.", "tone"],
    ["I prefer window seats.", "preference"],
    ["Never mention my age.", "rule"],
    ["これからは日本語で答えてください。", "language"],
  ])("of %s is %s", (text, kind) => expect(kindOf(text)).toBe(kind));
});
