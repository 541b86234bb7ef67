/** Text that a person passes on instead of saying it: between tags, after a colon, and in a forwarded message. */
import { withLetters } from "./word-matcher.ts";

/** HTML tags that only format a text. */
const LOOKS = new Set(["b", "i", "u", "s", "em", "strong", "mark", "small", "sub", "sup", "br", "p", "span", "div"]);

/** Ranges of text between two tags, including both tags: `<doc>…</doc>`. Tags that only format do not count. */
export function* taggedTexts(text: string): Generator<readonly [from: number, to: number]> {
  const open = new Map<string, number[]>();
  let done = 0;
  const found: [number, number][] = [];
  for (const { 0: tag, 1: slash, 2: name = "", index } of text.matchAll(
    /<(\/?)(\p{L}[\p{L}\p{N}_.:-]{0,60})(?:\s[^<>]{0,500})?>/gu,
  )) {
    const key = name.toLowerCase();
    if (LOOKS.has(key)) continue;
    const starts = open.get(key) ?? [];
    const from = slash === "" ? undefined : starts.pop();
    if (from !== undefined) found.push([from, index + tag.length]);
    else if (slash === "") {
      starts.push(index);
      open.set(key, starts);
    }
  }
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    if (to <= done) continue;
    yield [Math.max(from, done), to];
    done = to;
  }
}

/** A forwarded message: from its head on, all is somebody else's. */
export function forwardedFrom(text: string): number {
  const at = text.search(MAIL_HEAD);
  return at < 0 ? text.length : at;
}

const MAIL_HEAD =
  /^(?:From|Von|De|Da|Van|Od|От):[^\n]{1,200}\n(?:[^\n]{1,200}\n){0,5}?(?:Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Temat|Тема):/mu;

/** The text after a colon, to the end of the paragraph, where the words before say that somebody else wrote it. */
export function* handedOver(text: string): Generator<readonly [from: number, to: number]> {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return;
  let done = 0;
  for (const { 0: lead, index } of lower.matchAll(LEAD)) {
    if (index < done) continue;
    const from = index + lead.length;
    PARAGRAPH_END.lastIndex = from + (/^\s*/u.exec(text.slice(from))?.[0].length ?? 0);
    done = PARAGRAPH_END.exec(text)?.index ?? text.length;
    yield [from, done];
  }
}

const PARAGRAPH_END = /\n[^\S\n]*\n/gu;

/** Verbs for work on a text, and phrases that introduce the words of somebody other than the speaker. */
const LEAD = withLetters(
  [
    "(?<![\\p{L}])(?:",
    [
      "translate|proofread|paraphrase|rephrase|rewrite|summari[sz]e|correct|what does (?:it|this) mean|says?|(?<!(?:i|we|i['’]ve) )said|reads?|(?<!(?:i|we) )(?:wrote|told (?:me|us))|writes|goes",
      "übersetze?n?|lektoriere|korrigiere?|formuliere|fasse? zusammen|steht|sagt|sagte|schrieb|schreibt|lautet|traduis|traduisez|corrige[zr]?|reformule[zr]?|résume[zr]?|a dit|dit|écrit|indique",
      "traduce|traduzca|corrige|resume|reescribe|dijo|dice|escribió|traduci|correggi|riassumi|ha (?:detto|scritto)|dice|traduza|traduz|corrija|resuma|disse|diz|escreveu|vertaal|verbeter|zegt|zei|schreef|przetłumacz|popraw|mówi|napisał[a]?|переведи(?:те)?|исправь|сказала?|говорит|написала?|пишет",
      "(?:the|this|my|his|her|their|our|an?) (?:\\p{L}+ )?(?:sign|e-?mail|letter|poster|prompt|readme|contract|notice|label|note from \\p{L}+|text|quote|sentence|message from \\p{L}+)",
    ].join("|"),
    ")(?![\\p{L}])[^.!?\\n:：]{0,60}[:：](?=\\s)",
    "|(?:翻译|翻譯|校对|修改|总结|翻訳して|訳して|校正して|번역해|고쳐)[^。！？\\n:：]{0,20}[:：]",
  ].join(""),
  "gu",
);
