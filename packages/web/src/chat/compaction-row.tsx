/** A line in the turn during which the beginning of the conversation was summarised. */
import type { TurnView } from "@cairn/timeline";
import { FoldVertical } from "lucide-react";

export function CompactionRow({ turn }: { readonly turn: TurnView }) {
  const before = turn.compactions.at(0)?.before_tokens ?? null;
  const after = turn.compactions.at(-1)?.after_tokens ?? null;
  const numbers = before === null || after === null ? "" : `: ${spell(before)} tokens became ${spell(after)}`;
  return (
    <p className="mt-2 flex items-center gap-1.5 text-xs text-faint">
      <FoldVertical className="size-3.5" /> The model now sees a summary of the beginning of the conversation{numbers}.
    </p>
  );
}

function spell(tokens: number): string {
  return tokens.toLocaleString("en");
}
