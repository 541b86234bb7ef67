/**
 * Long conversations in a window of 32,000 tokens, without a model: how many of the orders and preferences that a person
 * gave are still in view at the end. Orders are given in the first nine tenths, in many wordings and six languages,
 * among messages that sound like orders and are not.
 */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { Timeline } from "../timeline.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const WINDOW = { maxTokens: 32_000, systemTokens: 1_500, toolsTokens: 3_000, maxOutputTokens: 2_000 };

const TOPICS = [
  "databases",
  "budgets",
  "recipes",
  "travel",
  "history",
  "gardening",
  "music",
  "taxes",
  "sports",
  "poems",
];
const ORDERS = [
  (topic: string) => `Always list your sources when I ask about ${topic}.`,
  (topic: string) => `From now on, round all numbers to two digits when we discuss ${topic}.`,
  (topic: string) => `Please never suggest paid services for ${topic}.`,
  (topic: string) => `Antworte immer mit einem Beispiel, wenn es um ${topic} geht.`,
  (topic: string) => `À partir de maintenant, ajoute un résumé à la fin pour ${topic}.`,
  (topic: string) => `A partir de ahora, empieza con la conclusión cuando hablemos de ${topic}.`,
];
const PREFERENCES = [
  (topic: string) => `I prefer small steps over big plans for ${topic}.`,
  (topic: string) => `I'd rather read about ${topic} in the morning.`,
  (topic: string) => `Ich bevorzuge freie Werkzeuge für ${topic}.`,
  (topic: string) => `Je préfère les exemples concrets pour ${topic}.`,
];
const NOISE = [
  "It's always like that on Mondays, and the report was never finished.",
  "The committee must approve the plan, and members should not be late.",
  "I have never seen that before, so what does it mean?",
  "Don't worry about the deadline for this one.",
  "Make sure the second figure is right this time.",
  "It is important that the numbers add up.",
];
const filler = (chars: number) =>
  "We went through the material once more and found a few more details. ".repeat(chars / 70);

function inView(tokens: number, planted: readonly string[]): number {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
  const turns = Math.floor(tokens / 1_000);
  const every = Math.floor((turns * 0.9) / planted.length);
  for (let nth = 0; nth < turns; nth++) {
    const turn = `turn_${1_770_000_000_000 + nth}_abc123`;
    const order = nth % every === 0 ? (planted[nth / every] ?? "") : "";
    const said = `Question ${nth}: what about this? ${NOISE[nth % NOISE.length]} ${order} ${filler(400)}`;
    timeline.contribute([make.header(turn), make.prompt(turn, said), make.completion(turn, filler(3_200))]);
    const plan = timeline.planCompaction(WINDOW);
    if (plan !== null) timeline.commitCompaction(plan, { summary: null, prefix: null });
  }
  const view = timeline.render().messages();
  const text = view.map((message) => (message.type === "text" ? message.text : "")).join("");
  return planted.filter((sentence) => text.includes(sentence)).length / planted.length;
}

/** Makes the given number of sentences of each kind, all different. */
function sentences(kinds: readonly ((topic: string) => string)[], count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const topic = `${TOPICS[n % TOPICS.length]}${n < TOPICS.length ? "" : ` in ${1900 + n}`}`;
    return (kinds[n % kinds.length] ?? String)(topic);
  });
}

describe("permanent requests of a person that are in view at 32,000 tokens without a model", () => {
  it.each([
    [100_000, 10, 0.92, 0.75],
    [500_000, 20, 0.85, 0.5],
  ])("of a conversation of %d tokens with %d orders and as many preferences", (tokens, count, orders, preferences) => {
    const [ordered, preferred] = [sentences(ORDERS, count), sentences(PREFERENCES, count)];
    const mixed = ordered.flatMap((order, n) => [order, preferred[n] ?? ""]);
    const share = inView(tokens, mixed);
    expect(share).toBeGreaterThanOrEqual((orders + preferences) / 2);
    expect(inView(tokens, ordered)).toBeGreaterThanOrEqual(orders);
    expect(inView(tokens, preferred)).toBeGreaterThanOrEqual(preferences);
  });
});
