/**
 * Answers questions of a running program to the conversation.
 *
 * Files are the one channel that every sandbox has, and each direction is one-way: the program writes `ask/<n>.json`
 * and reads `answers/<n>.json` (each of its processes under names of its own), and neither side writes where the other
 * does. The folder is polled often while questions arrive, and more rarely otherwise.
 */
import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Json, JsonObject } from "@cairn/timeline";
import { z } from "zod";
import { readLeftText } from "./safe-read.ts";
import type { Stage } from "./stage.ts";

export type AnswerQuestion = (path: string) => Promise<Json>;

const question = z.object({ path: z.string().max(4_000) });

const MAX_QUESTION_LENGTH = 32 * 1024;
const MAX_QUESTIONS = 10_000;
/** Maximum bytes of all answers: they stay until the program has ended, and no disk limit covers them. */
const MAX_BYTES = 256 * 1024 * 1024;
const BUSY_MS = 2;
const IDLE_MS = 25;

/** Answers until the program ends, and never throws: a question without an answer waits for the timeout. */
export async function answerQuestions(
  stage: Stage,
  answer: AnswerQuestion,
  signal: AbortSignal,
  mostBytes: number = MAX_BYTES,
): Promise<void> {
  const answered = new Set<string>();
  let bytes = 0;
  for (let wait = BUSY_MS; !signal.aborted; ) {
    const waiting = (await namesIn(stage.path("ask"))).filter((name) => isQuestion(name) && !answered.has(name));
    for (const name of waiting) {
      if (signal.aborted) return;
      answered.add(name);
      const reply =
        answered.size > MAX_QUESTIONS || bytes > mostBytes
          ? failure("too_many_questions", `A program may ask ${MAX_QUESTIONS} times, for ${mostBytes} bytes in all.`)
          : await replyTo(stage, name, answer);
      const text = JSON.stringify(reply);
      bytes += Buffer.byteLength(text);
      await stage.write(`answers/${name}`, text).catch(() => undefined);
    }
    wait = waiting.length > 0 ? BUSY_MS : Math.min(IDLE_MS, wait * 1.5);
    await pause(wait, undefined, { signal }).catch(() => undefined); // The program has ended.
  }
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** `<n>.json`, preceded by the process if there are several. */
function isQuestion(name: string): boolean {
  return /^(?:[1-9]\d{0,8}-)?[1-9]\d{0,8}\.json$/.test(name);
}

async function replyTo(stage: Stage, name: string, answer: AnswerQuestion): Promise<Json> {
  const text = await readLeftText(stage.path("ask", name), MAX_QUESTION_LENGTH);
  const asked = question.safeParse(parse(text ?? ""));
  if (!asked.success) return failure("bad_question", "fetch_ctx takes one logical path, as text.");
  return answer(asked.data.path);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The value is not valid JSON, so the schema rejects it.
  }
}

function failure(code: string, message: string): JsonObject {
  return { error: { code, message } };
}
