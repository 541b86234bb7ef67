/** The model of every contender: OpenAI's API on a local socket, which answers the traveller's three questions. */
import { type ModelRequest, ModelSimulator, type Reply } from "cairn-agent/testing/wire";

const TRIP = [
  { question: "How is the weather in Wuppertal?", city: "Wuppertal", answer: "Clear, 21 degrees.\n" },
  { question: "And in Essen?", city: "Essen", answer: "The same.\n" },
  { question: "Where should I go?", city: null, answer: "Wherever you like.\n" },
] as const;

export const QUESTIONS = TRIP.map(({ question }) => question);
/** The output of a program that asks all questions. */
export const OUTPUT = TRIP.map(({ answer }) => answer).join("");

export interface HelloModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** How much of the first two turns the last request contained: questions, results of the tool, answers. */
  readonly left: () => { readonly found: number; readonly all: number };
}

export async function startHelloModel(): Promise<HelloModel> {
  const simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
  simulator.script([{ reply: replyTo, times: Number.POSITIVE_INFINITY }]);
  return {
    baseUrl: simulator.baseUrl,
    left: () => leftIn(simulator.requests.at(-1)?.request ?? null),
    [Symbol.asyncDispose]: () => simulator.close(),
  };
}

function replyTo({ texts, toolResults }: ModelRequest): Reply {
  const asked = TRIP.findLast(({ question }) => texts.some((text) => text.includes(question)));
  if (asked === undefined) throw new Error(`None of the questions was asked: ${texts.join(" | ")}`);
  const { city, answer } = asked;
  const isKnown = city === null || toolResults.some(({ text }) => text.includes(city));
  return isKnown ? { text: answer } : { calls: [{ name: "weather", input: { city } }] };
}

function leftIn(request: ModelRequest | null): { found: number; all: number } {
  const texts = request?.texts ?? [];
  const results = request?.toolResults ?? [];
  const found = TRIP.slice(0, 2).flatMap(({ question, city, answer }) => [
    texts.some((text) => text.includes(question)),
    texts.some((text) => text.includes(answer.trim())),
    results.some(({ text }) => city !== null && text.includes(city)),
  ]);
  return { found: found.filter(Boolean).length, all: found.length };
}
