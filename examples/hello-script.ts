/** The traveller's questions in `hello.ts`, and the model's answers. */
import { scriptedModel } from "cairn-agent/testing";

export const questions = ["How is the weather in Wuppertal?", "And in Essen?", "Where should I go?"];

export const model = scriptedModel([
  { call: "weather", input: { city: "Wuppertal" } },
  { say: "Clear, 21 degrees.\n" },
  { call: "weather", input: { city: "Essen" } },
  { say: "The same.\n" },
  { say: "Wherever you like.\n" },
]);
