/** Compares two attached files: which sentences or rows are only in one of them. */
import type { Quote } from "./find-quotes.ts";
import { piecesOf } from "./sentences.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { listNames, quoteList } from "./wording.ts";

const MAX_LISTED = 10;

/** Null if there are no two files with text. */
export function compareFiles(situation: Situation): OfflineDecision | null {
  const { passages, phrases, said, timeline, turn, unread } = situation;
  const first = situation.reading([...unread.inTurn(), ...unread.named(), ...unread.others()]);
  if (first.length > 0) return { text: phrases.readGiven, calls: first };
  const message = said.toLowerCase();
  const attached = timeline.turns.flatMap(({ attachments }) => attachments.map(({ name }) => name));
  const named = attached.filter((name) => message.includes(name.toLowerCase()));
  const here = turn.attachments.map(({ name }) => name);
  const names = [named, here, attached].map((list) => [...new Set(list)].slice(-2)).find((list) => list.length === 2);
  const [left, right] = (names ?? []).map((name) =>
    passages
      .filter((passage) => passage.kind === "file" && passage.name === name)
      .flatMap((passage) => piecesOf(passage.text).map((piece): Quote => ({ ...piece, passage }))),
  );
  if (names === undefined || left === undefined || right === undefined) return null;
  if (left.length === 0 || right.length === 0) return null;
  const only = [without(left, right), without(right, left)];
  const common = new Set(left.map(keyOf)).size - new Set(only[0]?.map(keyOf)).size;
  const lists = only.flatMap((quotes, nth) => {
    if (quotes.length === 0) return [];
    const more = quotes.length > MAX_LISTED ? `\n- ${phrases.andMore(quotes.length - MAX_LISTED)}` : "";
    return [`${phrases.onlyIn(names[nth] ?? "")}\n\n${quoteList(quotes.slice(0, MAX_LISTED), phrases)}${more}`];
  });
  const summary =
    lists.length === 0
      ? phrases.sameText(listNames(names, phrases))
      : phrases.inCommon(common, listNames(names, phrases));
  return answer(situation.introduced([summary, ...lists].join("\n\n")));
}

function without(quotes: readonly Quote[], others: readonly Quote[]): readonly Quote[] {
  const known = new Set(others.map(keyOf));
  return quotes.filter((quote) => !known.has(keyOf(quote)));
}

function keyOf({ text }: Quote): string {
  return text.toLowerCase();
}
