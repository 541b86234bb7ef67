/** The intent of a message, as the offline model understands it: a few plain forms in English, German and French. */
import { type Arithmetic, arithmeticIn } from "./arithmetic.ts";
import { BEYOND, CACHED, MORE, STOP, SURE } from "./beyond-forms.ts";
import { type DateQuestion, dateQuestionIn } from "./date-question.ts";
import {
  ABOUT_ME,
  AS_WELL,
  COMPARE,
  COST,
  DOCUMENTS,
  FORGET,
  FORM,
  FORMATS,
  GREETING,
  IDENTITY,
  IS_KIND,
  KNOWN,
  LIBRARY,
  MINE,
  MODEL_SETUP,
  NEW_TEXT,
  NOW,
  PLOT,
  POINTED_AT,
  RECALL,
  REMEMBER,
  REPLY,
  RULE,
  SEARCH,
  THANKING,
} from "./intent-forms.ts";
import { tableIn } from "./make-table.ts";
import { type ProgramLanguage, pastedProgram } from "./pasted-program.ts";
import { folded, languageOf } from "./phrases/language.ts";
import type { Beyond, DocumentFormat } from "./phrases/phrases.ts";
import { type WantedFile, wantedFile } from "./wanted-file.ts";

/** The earlier messages that a question asks for. */
export type Recalled = "first" | "last" | "all";

export type Intent =
  | { readonly kind: "greeting" }
  | { readonly kind: "thanks" }
  | { readonly kind: "reply" }
  | { readonly kind: "identity" }
  | { readonly kind: "setup" }
  | { readonly kind: "known" }
  | { readonly kind: "forget" }
  | { readonly kind: "mine" }
  | { readonly kind: "rule"; readonly rule: string }
  | { readonly kind: "cost" }
  | { readonly kind: "cached" }
  | { readonly kind: "beyond"; readonly what: Beyond }
  | { readonly kind: "sure" }
  | { readonly kind: "more" }
  | { readonly kind: "stop" }
  | { readonly kind: "now" }
  | { readonly kind: "file"; readonly file: WantedFile }
  | { readonly kind: "library" }
  | { readonly kind: "plot" }
  | { readonly kind: "compare" }
  | { readonly kind: "table"; readonly table: string }
  | { readonly kind: "arithmetic"; readonly results: readonly Arithmetic[] }
  | { readonly kind: "date"; readonly question: DateQuestion }
  | { readonly kind: "remember"; readonly what: string }
  | { readonly kind: "run"; readonly language: ProgramLanguage; readonly code: string }
  | { readonly kind: "report"; readonly topic: string; readonly formats: readonly DocumentFormat[] }
  | { readonly kind: "render"; readonly formats: readonly DocumentFormat[] }
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "recall"; readonly which: Recalled }
  | { readonly kind: "question"; readonly text: string };

const QUOTATION_MARKS = /["“”„«»]/g;
/** Longer messages contain pasted text; the request is at their beginning or end. */
const MAX_LOOK_LENGTH = 4_000;

export function intentOf(message: string): Intent {
  const text = message.trim();
  const program = pastedProgram(text);
  if (program !== null) return { kind: "run", ...program };
  const look = (
    text.length <= MAX_LOOK_LENGTH ? text : `${text.slice(0, MAX_LOOK_LENGTH / 2)}\n${text.slice(-MAX_LOOK_LENGTH / 2)}`
  ).normalize("NFC");
  const plain = folded(look);
  const is = (forms: readonly RegExp[]) => forms.some((form) => form.test(plain));
  if (is(KNOWN)) return { kind: "known" };
  if (is(LIBRARY)) return { kind: "library" };
  const what = text.endsWith("?") ? null : restOf(REMEMBER, look, plain);
  if (what !== null) return { kind: "remember", what };
  const results = arithmeticIn(look, languageOf(look));
  if (results !== null) return { kind: "arithmetic", results };
  if (is(NOW)) return { kind: "now" };
  const question = dateQuestionIn(look);
  if (question !== null) return { kind: "date", question };
  if (is(FORGET)) return { kind: "forget" };
  const file = wantedFile(text);
  if (file !== null) return { kind: "file", file };
  const table = tableIn(text);
  if (table !== null) return { kind: "table", table };
  if (is(PLOT)) return { kind: "plot" };
  if (is(COMPARE)) return { kind: "compare" };
  const beyond = BEYOND.find(([, form]) => form.test(plain))?.[0];
  if (beyond !== undefined) return { kind: "beyond", what: beyond };
  const wanted = documentIntent(look, plain);
  if (wanted !== null) return wanted;
  if (is(RECALL)) return { kind: "recall", which: recalledBy(plain) };
  if (is(MINE)) return { kind: "mine" };
  if (is(IDENTITY)) return { kind: "identity" };
  if (is(MODEL_SETUP)) return { kind: "setup" };
  if (is(COST)) return { kind: "cost" };
  if (CACHED.test(plain)) return { kind: "cached" };
  if (SURE.test(plain)) return { kind: "sure" };
  if (MORE.test(plain)) return { kind: "more" };
  if (STOP.test(plain)) return { kind: "stop" };
  if (THANKING.test(plain)) return { kind: "thanks" };
  if (REPLY.test(plain)) return { kind: "reply" };
  if (is(GREETING)) return { kind: "greeting" };
  const query = restOf(SEARCH, look, plain);
  if (query !== null) return { kind: "search", query };
  if (is(RULE)) return { kind: "rule", rule: text };
  if (is(ABOUT_ME)) return { kind: "remember", what: text.replace(/(?<![.!])[.!]+$/, "") };
  return { kind: "question", text: look };
}

/** The end of the message that the first fitting form captures, as it was written. */
function restOf(forms: readonly RegExp[], look: string, plain: string): string | null {
  for (const form of forms) {
    const rest = form.exec(plain)?.[1];
    if (rest !== undefined) return look.slice(look.length - rest.length).trim();
  }
  return null;
}

function recalledBy(plain: string): Recalled {
  if (
    /\bfirst\b|\bbeginning\b|\bstart\b|\b(?:aller)?erste\b|\bzuerst\b|\bals erstes\b|\banfang\b|\bpremiere?\b|\bdebut\b|\bd'abord\b/i.test(
      plain,
    )
  )
    return "first";
  return /\bquestions\b|\bmessages\b|\brequests\b|\bso far\b|\buntil now\b|\bfragen\b|\bnachrichten\b|\bbisher\b|\bjusqu'ici\b/i.test(
    plain,
  )
    ? "all"
    : "last";
}

/** A request for a report, or for another format of an existing text. */
function documentIntent(look: string, plain: string): Intent | null {
  const formats = FORMATS.flatMap(([format, pattern]) => (pattern.test(plain) ? [format] : []));
  if (formats.length > 0 && AS_WELL.test(plain)) return { kind: "render", formats };
  for (const form of DOCUMENTS) {
    const report = form.report.exec(plain);
    const making = form.making.exec(plain);
    if (report === null && making === null) continue;
    const from = Math.min(report?.index ?? plain.length, making?.index ?? plain.length);
    const topic = topicOf(form.topic, look.slice(from), plain.slice(from));
    const isPointing = topic === "" || POINTED_AT.test(folded(topic));
    // "Research tea and write a report about it" names the topic first.
    const researched = isPointing ? restOf(SEARCH, look.slice(0, from), plain.slice(0, from)) : null;
    const named = researched?.replace(/[\s,;.:]*(?:\b(?:and|then|und|dann|et|puis)\b[\s,]*)*$/i, "") ?? "";
    if (report !== null && named !== "") return { kind: "report", topic: named, formats };
    const isAnotherForm = formats.length > 0 && (report === null || !NEW_TEXT.test(report[0]));
    if (isAnotherForm && isPointing) return { kind: "render", formats };
    return { kind: "report", topic, formats };
  }
  return null;
}

function topicOf(form: RegExp, look: string, plain: string): string {
  const topic = restOf([form], look, plain) ?? "";
  const bare = topic.replace(/(?<![.!?\s])[.!?\s]+$/, "");
  const end = FORM.exec(folded(bare));
  const whole = end !== null && IS_KIND.test(end[0]) ? bare.slice(0, end.index) : bare;
  // The suggested follow-ups quote the title of a source.
  return whole.replaceAll(QUOTATION_MARKS, "").slice(0, 300).trim();
}
