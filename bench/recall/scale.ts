/**
 * One scope with very many messages, generated from common and rare words with the frequencies of a language: the time
 * of a search, the size of the index, and the cost of maintaining it.
 */
import type { Contender } from "./contender.ts";
import { measureRecall, type RecallResult } from "./measure-recall.ts";
import type { RecallMessage, RecallQuestion } from "./recall-set.ts";

const SYLLABLES =
  "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to".split(
    " ",
  );
const COMMON =
  "the and to of a i you is it that in was for on are with as have be this at not but by from they we say or an will my one all would there what so up out if about who get which go me when make can like time no just know take into year your good some could them see other than then now look only come its over think also back after use two how our work first well way even new want because any these give day most us".split(
    " ",
  );
const VOCABULARY = 30_000;
const QUESTIONS = 200;

export function measureScale(messages: number, contenders: readonly Contender[]): Promise<RecallResult[]> {
  const random = randomNumbers(1);
  const all = Array.from({ length: messages }, (_, nth): RecallMessage => {
    const text = sentence(random, 5 + Math.floor(random() * 35));
    return { id: String(nth), role: nth % 2 === 0 ? "user" : "assistant", text };
  });
  // Each query asks for a message by some of its words, with other words around them.
  const questions = Array.from({ length: QUESTIONS }, (): RecallQuestion => {
    const { id, text } = all[Math.floor(random() * messages)] ?? { id: "", text: "" };
    const words = text.split(" ").filter(() => random() < 0.3);
    return { question: `${sentence(random, 3)} ${words.join(" ")}`, evidence: [id] };
  });
  return measureRecall({ name: `${messages} messages`, conversations: [{ messages: all, questions }] }, contenders);
}

function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () =>
    random() < 0.5
      ? (COMMON[Math.floor(COMMON.length * random() ** 2)] ?? "the")
      : madeUpWord(Math.floor(VOCABULARY ** random())),
  ).join(" ");
}

function madeUpWord(number: number): string {
  let word = "";
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

/** The Mulberry32 generator: it gives the same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
