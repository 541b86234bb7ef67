/**
 * Reads a set of conversations from a file in the form its authors publish: LoCoMo (`locomo10.json`), LongMemEval
 * (`longmemeval_s.json` and its like), BEAM (`chat.json` with `probing_questions/probing_questions.json` beside it), or
 * our own: `[{docs: [{id, role, text}], qs: [{question, ev: [id]}]}]`.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { RecallConversation, RecallMessage, RecallQuestion, RecallSet } from "./recall-set.ts";

const role = z
  .string()
  .transform((name): RecallMessage["role"] => (/assistant|model|bot/i.test(name) ? "assistant" : "user"));

const ownSchema = z.array(
  z.object({
    docs: z.array(z.object({ id: z.string(), role, text: z.string() })),
    qs: z.array(z.object({ question: z.string(), ev: z.array(z.string()) })),
  }),
);

const locomoSchema = z.array(
  z.object({
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(z.object({ question: z.string(), evidence: z.array(z.string()).default([]) })),
  }),
);
const locomoSession = z.array(
  z.object({ speaker: z.string(), dia_id: z.string(), text: z.string(), blip_caption: z.string().optional() }),
);

const longMemEvalSchema = z.array(
  z.object({
    question: z.string(),
    haystack_sessions: z.array(z.array(z.object({ role, content: z.string(), has_answer: z.boolean().optional() }))),
  }),
);

const beamMessage = z.object({ role, content: z.string(), id: z.union([z.number(), z.string()]).transform(String) });
const beamQuestions = z.record(
  z.string(),
  z.array(z.object({ question: z.string(), source_chat_ids: z.unknown().optional() })),
);

export function readSet(file: string): RecallSet {
  const name = basename(file);
  const data: unknown = JSON.parse(readFileSync(file, "utf8"));
  const own = ownSchema.safeParse(data);
  if (own.success) return { name, conversations: own.data.map(fromOwn) };
  const locomo = locomoSchema.safeParse(data);
  if (locomo.success) return { name, conversations: locomo.data.map(fromLocomo) };
  const longMemEval = longMemEvalSchema.safeParse(data);
  if (longMemEval.success) return { name, conversations: longMemEval.data.map(fromLongMemEval) };
  const questions = join(dirname(file), "probing_questions", "probing_questions.json");
  if (existsSync(questions)) {
    const asked = beamQuestions.parse(JSON.parse(readFileSync(questions, "utf8")));
    return { name, conversations: [fromBeam(data, asked)] };
  }
  throw new Error(
    `${file} is not in a form this benchmark reads: LoCoMo, LongMemEval, BEAM or our own (docs/recall.md).`,
  );
}

function fromOwn({ docs, qs }: z.output<typeof ownSchema>[number]): RecallConversation {
  return { messages: docs, questions: qs.map(({ question, ev }) => ({ question, evidence: ev })) };
}

function fromLocomo({ conversation, qa }: z.output<typeof locomoSchema>[number]): RecallConversation {
  const sessions = Object.entries(conversation)
    .flatMap(([key, value]) => {
      const number = /^session_(\d+)$/.exec(key)?.[1];
      const session = locomoSession.safeParse(value);
      return number === undefined || !session.success ? [] : [{ number: Number(number), turns: session.data }];
    })
    .sort((a, b) => a.number - b.number);
  const first = conversation.speaker_a;
  const messages = sessions.flatMap(({ turns }) =>
    turns.map(({ speaker, dia_id, text, blip_caption }): RecallMessage => {
      const picture = blip_caption === undefined ? "" : ` [shares ${blip_caption}]`;
      return { id: dia_id, role: speaker === first ? "user" : "assistant", text: `${speaker}: ${text}${picture}` };
    }),
  );
  // Some questions name several messages in one string: "D8:6; D9:17".
  const questions = qa.map(({ question, evidence }) => ({
    question,
    evidence: evidence.flatMap((ids) => ids.split(/[;,\s]+/)),
  }));
  return { messages, questions };
}

/** Each question has its own history. */
function fromLongMemEval(each: z.output<typeof longMemEvalSchema>[number]): RecallConversation {
  const turns = each.haystack_sessions.flat().map((turn, nth) => ({ ...turn, id: String(nth) }));
  const evidence = turns.filter(({ has_answer }) => has_answer === true).map(({ id }) => id);
  return {
    messages: turns.map(({ id, role, content }) => ({ id, role, text: content })),
    questions: [{ question: each.question, evidence }],
  };
}

function fromBeam(chat: unknown, asked: z.output<typeof beamQuestions>): RecallConversation {
  const messages = beamMessages(chat).map(({ id, role, content }) => ({ id, role, text: content }));
  const questions = Object.entries(asked).flatMap(([about, each]) =>
    each.map(
      ({ question, source_chat_ids }): RecallQuestion => ({ question, evidence: idsIn(source_chat_ids), about }),
    ),
  );
  return { messages, questions };
}

/** Ids are in lists, in named lists or alone, depending on the kind of question. */
function idsIn(part: unknown): string[] {
  if (typeof part === "number" || typeof part === "string") return [String(part)];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(idsIn) : [];
}

/** Messages are in batches of turns, nested differently for each size. */
function beamMessages(part: unknown): z.output<typeof beamMessage>[] {
  const message = beamMessage.safeParse(part);
  if (message.success) return [message.data];
  if (Array.isArray(part)) return part.flatMap(beamMessages);
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(beamMessages) : [];
}
