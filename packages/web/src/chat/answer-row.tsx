/** The answer of a turn: what is read. */
import type { TurnView } from "@cairn/timeline";
import { Markdown } from "../markdown/markdown.tsx";

export function AnswerRow({ turn }: { readonly turn: TurnView }) {
  const { completion } = turn;
  if (completion === null) return null;
  return (
    <article aria-label={`Answer ${turn.n}`} className="mt-4">
      <Markdown text={completion.text} />
      {completion.interrupted ? <p className="mt-2 text-sm text-faint">Cut off here.</p> : null}
    </article>
  );
}
