/** One difference between two requests, or the size of the equal part before the next one. */
import { Equal, Minus, Pencil, Plus } from "lucide-react";
import { memo, useMemo } from "react";
import { changedLines } from "../../files/changed-lines.ts";
import { ChangedText } from "../../files/changed-text.tsx";
import { formatCount, plural } from "../../text/format-count.ts";
import { NO_FILTERS } from "../data/place.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { Tag } from "../parts/tag.tsx";
import type { ComparedRow } from "./compare-requests.ts";

export interface ComparedRowViewProps {
  readonly conversationId: string;
  readonly row: ComparedRow;
}

const LINES =
  "max-h-80 rounded-b-lg border-t border-line bg-sunken py-1.5 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]";

export const ComparedRowView = memo(({ conversationId, row }: ComparedRowViewProps) => {
  if (row.kind === "same")
    return (
      <p className="flex items-center gap-2 px-4 py-2 text-xs text-faint">
        <Equal className="size-3.5" aria-hidden="true" />
        {plural(row.count, "part")} the same, {plural(row.tokens, "token")}
        <span className="h-px flex-1 bg-line" />
      </p>
    );
  return <Difference conversationId={conversationId} row={row} />;
});

interface DifferenceProps {
  readonly conversationId: string;
  readonly row: Exclude<ComparedRow, { kind: "same" }>;
}

const LOOKS = {
  changed: { tone: "ochre", word: "changed", icon: <Pencil /> },
  removed: { tone: "danger", word: "gone", icon: <Minus /> },
  added: { tone: "accent", word: "new", icon: <Plus /> },
} as const;

function Difference({ conversationId, row }: DifferenceProps) {
  const part = row.kind === "removed" ? row.before : row.after;
  const { tone, word, icon } = LOOKS[row.kind];
  const [before, after] = [row.kind === "added" ? "" : row.before.text, row.kind === "removed" ? "" : row.after.text];
  const earlier = row.kind === "changed" ? `${formatCount(row.before.tokens)} → ` : "";
  const lines = useMemo(() => differingLines(before, after), [before, after]);
  const name = `${part.label}${part.index === null ? "" : ` #${part.index}`}`;
  return (
    <article aria-label={`${name}, ${word}`} className="px-4 py-1">
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <p className="flex items-center gap-2 px-2.5 py-1.5 text-xs [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-faint">
          {icon}
          <Tag tone={tone}>{word}</Tag>
          {part.index === null ? null : <span className="text-faint tabular-nums">#{part.index}</span>}
          <span className="truncate font-mono font-medium">{part.label}</span>
          {part.position === null ? null : (
            <InspectorLink
              conversationId={conversationId}
              to={{ tab: "blocks", position: part.position, filters: NO_FILTERS }}
              className="shrink-0 text-2xs"
            >
              block {part.position}
            </InspectorLink>
          )}
          <span className="min-w-0 flex-1 truncate font-mono text-2xs text-faint max-sm:hidden">{part.path}</span>
          <span className="flex-1 sm:hidden" />
          <span className="shrink-0 tabular-nums">{`${earlier}${formatCount(part.tokens)}`}</span>
        </p>
        <ChangedText label={`${name}, ${word}`} lines={lines} className={LINES} />
      </div>
    </article>
  );
}

/** If one side is empty, its text has no lines and not one empty line. */
function differingLines(before: string, after: string) {
  if (before !== "" && after !== "") return changedLines(before, after);
  const kind = before === "" ? ("added" as const) : ("removed" as const);
  return `${before}${after}`
    .trimEnd()
    .split("\n")
    .map((text) => ({ kind, text }));
}
