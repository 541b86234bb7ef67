/** The intent of a message, as the offline model understands it: a few plain forms, English only. */
import { pastedProgram } from "./pasted-program.ts";
import type { Recalled } from "./recall.ts";
import type { ProgramLanguage } from "./run-program.ts";

export type DocumentFormat = "pdf" | "docx" | "pptx" | "png";

export type Intent =
  | { readonly kind: "greeting" }
  | { readonly kind: "identity" }
  | { readonly kind: "remember"; readonly what: string }
  | { readonly kind: "run"; readonly language: ProgramLanguage; readonly code: string }
  | { readonly kind: "report"; readonly topic: string; readonly formats: readonly DocumentFormat[] }
  | { readonly kind: "render"; readonly formats: readonly DocumentFormat[] }
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "recall"; readonly which: Recalled }
  | { readonly kind: "question"; readonly text: string };

/** Longer messages contain pasted text; the request is at their beginning or end. */
const MAX_LOOK_LENGTH = 4_000;
const REMEMBER = /^(?:please )?(?:remember|note|keep in mind|don'?t forget)(?: down)?(?: that|:|,)?\s+(\S[\s\S]*)$/i;
const REPORT =
  /\b(?:write|draft|create|prepare|compose|make|produce)\b[^.?!\n]{0,60}\b(?:report|summary|memo|document|article|brief|overview|essay|paper|file)\b/i;
const TOPIC = /\b(?:about|on|of|for|regarding|summari[sz]ing|describing)\s+(\S[\s\S]*)$/i;
const IDENTITY =
  /\b(?:who|what) are you\b|\bwhat can you do\b|\bwhat (?:kind of |sort of )?(?:model|ai|llm) (?:are you|is this)\b|^help\b[.!?]*$|\bare you (?:a |an )?(?:real |offline )?(?:ai|model|llm|bot)\b/i;
const GREETING = /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|thanks|thank you)\b[^?]{0,30}$/i;
/** Asks what the user said, and not what they said about a topic. */
const RECALL =
  /^(?:(?:please |can you |could you )*(?:tell me|remember|repeat) )?what (?:(?:did|have) i (?:just |first |last )?(?:ask|say|write|tell|said|told|written)(?:ed)?(?: you)?|(?:was|were|is|are) my (?:(?:very )?(?:first|last|previous|earlier) )?(?:questions?|messages?|requests?))(?: (?:you|first|last|before(?: that)?|earlier|just now|so far|until now|at first|(?:at|in) the (?:beginning|start)))*\s*[?.!]*$/i;
const SEARCH =
  /^(?:please |can you |could you )?(?:search|look up|look for|research|google|find out)(?: the (?:web|library|corpus|internet))?(?: for| about| on)?:?\s+(\S[\s\S]*)$/i;

const FORMATS: readonly (readonly [DocumentFormat, RegExp])[] = [
  ["pdf", /\bpdfs?\b/i],
  ["docx", /\bdocx\b|\b(?:ms |microsoft )?word (?:document|file)\b|\b(?:as|in|to|for|into|and|a) word\b/i],
  ["pptx", /\bpptx\b|\bpower ?point\b|\bslides?\b|\bpresentation\b/i],
  ["png", /\bpng\b|\b(?:as|into|to|make) (?:an?|one) (?:picture|image)\b/i],
];
const KIND = "(?:pdfs?|docx|pptx|png|word|power ?point|slides?|presentation|picture|image)";
const MAKING = new RegExp(
  String.raw`\b(?:make|turn|convert|render|export|save|give|put|create|produce|write|want)\b[^.?!\n]{0,80}\b${KIND}\b`,
  "i",
);
/** A format at the end says how, not about what: `… as a PDF and as slides`. */
const FORM = new RegExp(
  String.raw`[\s,;:]+(?:and |then )*(?:(?:please )?(?:render|save|export|make|turn)(?:ed)? (?:it |that |this )?)?(?:as|in|into|to)\s+(?:an? )?(?:(?:\s|,|and|or|an?|as|in|to|file|files|document|documents|format)|\b${KIND}\b)+$`,
  "i",
);
/** Asks only for another format: `now as slides`. */
const AS_WELL = new RegExp(
  String.raw`^(?:(?:and|now|then|also|please|the same|again)[\s,]+)*(?:as|in|into|to)\s+(?:(?:\s|,|and|or|an?|as|in|to|too|also|please|file|files|document|documents|format)|\b${KIND}\b)+[.!?]*$`,
  "i",
);
const IS_KIND = new RegExp(String.raw`\b${KIND}\b`, "i");
const POINTED_AT = /^(?:it|this|that|them|(?:the|your|my|last) (?:report|answer|file|document|text|reply|summary))\b/i;

export function intentOf(message: string): Intent {
  const text = message.trim();
  const program = pastedProgram(text);
  if (program !== null) return { kind: "run", ...program };
  const look =
    text.length <= MAX_LOOK_LENGTH
      ? text
      : `${text.slice(0, MAX_LOOK_LENGTH / 2)}\n${text.slice(-MAX_LOOK_LENGTH / 2)}`;
  const remember = text.endsWith("?") ? null : REMEMBER.exec(look);
  if (remember !== null) return { kind: "remember", what: remember[1]?.trim() ?? "" };
  const wanted = documentIntent(look);
  if (wanted !== null) return wanted;
  if (RECALL.test(look)) return { kind: "recall", which: recalledBy(look) };
  if (IDENTITY.test(look)) return { kind: "identity" };
  if (GREETING.test(look)) return { kind: "greeting" };
  const search = SEARCH.exec(look);
  if (search !== null) return { kind: "search", query: search[1]?.trim() ?? "" };
  return { kind: "question", text: look };
}

function recalledBy(look: string): Recalled {
  if (/\bfirst\b|\bbeginning\b|\bstart\b/i.test(look)) return "first";
  return /\bquestions\b|\bmessages\b|\brequests\b|\bso far\b|\buntil now\b/i.test(look) ? "all" : "last";
}

/** A request for a report, or for another format of an existing text. */
function documentIntent(look: string): Intent | null {
  const report = REPORT.exec(look);
  const formats = FORMATS.flatMap(([format, pattern]) => (pattern.test(look) ? [format] : []));
  if (formats.length > 0 && AS_WELL.test(look)) return { kind: "render", formats };
  const making = MAKING.exec(look);
  if (report === null && making === null) return null;
  const after = look.slice(Math.min(report?.index ?? look.length, making?.index ?? look.length));
  const topic = topicOf(after);
  const isAnotherForm = formats.length > 0 && (report === null || !/^(?:write|draft|compose)/i.test(report[0]));
  if (isAnotherForm && (topic === "" || POINTED_AT.test(topic))) return { kind: "render", formats };
  return { kind: "report", topic, formats };
}

function topicOf(text: string): string {
  const [, topic = ""] = TOPIC.exec(text) ?? [];
  const bare = topic.replace(/[.!?\s]+$/, "");
  const form = FORM.exec(bare);
  return (form !== null && IS_KIND.test(form[0]) ? bare.slice(0, form.index) : bare).slice(0, 300).trim();
}
