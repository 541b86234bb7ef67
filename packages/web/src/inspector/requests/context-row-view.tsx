/** One row of a request: a part that was sent, or a line about hidden content between two parts. */
import type { UnseenBlock } from "@cairn/api";
import { EyeOff, Flag, Waves } from "lucide-react";
import { memo } from "react";
import { plural } from "../../text/format-count.ts";
import { NO_FILTERS } from "../data/place.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { Tag } from "../parts/tag.tsx";
import { TextBox } from "../parts/text-box.tsx";
import type { BarMeasure, ContextRow } from "./context-rows.ts";
import { MessageRow } from "./message-row.tsx";
import { PartRow } from "./part-row.tsx";

export interface ContextRowViewProps {
  readonly conversationId: string;
  readonly row: ContextRow;
  readonly words: string;
  readonly measure: BarMeasure;
  /** The size of the largest part, which fills its bar. */
  readonly most: number;
  readonly isOpen: boolean;
  readonly onToggle: (key: string) => void;
}

export const ContextRowView = memo((props: ContextRowViewProps) => {
  const { row, words, measure, most, isOpen, onToggle, conversationId } = props;
  const toggle = () => onToggle(row.key);
  switch (row.kind) {
    case "tools":
    case "system":
      return (
        <PartRow
          number=""
          label={row.kind === "tools" ? "Tools" : "System text"}
          text={row.text}
          language={row.kind === "tools" ? "json" : ""}
          words={words}
          tokens={row.tokens}
          {...(measure === "cost" ? { figure: "–" } : {})}
          size={measure === "tokens" ? row.tokens : 0}
          most={most}
          fate={null}
          isOpen={isOpen}
          onToggle={toggle}
        />
      );
    case "message":
      return (
        <MessageRow
          conversationId={conversationId}
          message={row.message}
          words={words}
          measure={measure}
          most={most}
          isOpen={isOpen}
          onToggle={toggle}
        />
      );
    case "checkpoint":
      return (
        <div data-row="checkpoint" className="flex items-center gap-2 px-4 py-1.5 text-2xs text-accent">
          <span className="h-px flex-1 bg-accent" />
          <Flag className="size-3" aria-hidden="true" />
          <span className="font-mono">=&gt;[{row.nth}]</span>
          <span>the cache ends here</span>
          <span className="h-px flex-1 bg-accent" />
        </div>
      );
    case "tail":
      return (
        <div data-row="tail" className="flex items-center gap-2 px-4 pt-3 pb-1.5 text-2xs text-faint">
          <span className="h-px flex-1 border-t border-dashed border-line-strong" />
          <Waves className="size-3" aria-hidden="true" />
          <span>the tail begins: {plural(row.tokens, "token")} that change every time and are never cached</span>
          <span className="h-px flex-1 border-t border-dashed border-line-strong" />
        </div>
      );
    case "unseen":
      return (
        <Unseen conversationId={conversationId} blocks={row.blocks} words={words} isOpen={isOpen} onToggle={toggle} />
      );
  }
});

interface UnseenProps {
  readonly conversationId: string;
  readonly blocks: readonly UnseenBlock[];
  readonly words: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A line about blocks that the model does not see and whose replacement is at another block of their group. */
function Unseen({ conversationId, blocks, words, isOpen, onToggle }: UnseenProps) {
  return (
    <div data-row="unseen" className="px-4 py-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex w-full items-center gap-2 rounded-lg border border-dashed border-line-strong px-2.5 py-1 text-left text-xs text-soft hover:bg-hover"
      >
        <EyeOff className="size-3.5 shrink-0 text-ochre" aria-hidden="true" />
        <span className="flex-1">
          {plural(blocks.length, "block")} that the model does not see
          {blocks.length === 1 ? `: ${blocks[0]?.type ?? ""}` : ""}
        </span>
        <span className="text-accent">{isOpen ? "Close" : "Open"}</span>
      </button>
      {isOpen ? (
        <ul className="flex flex-col gap-3 py-2 pl-2">
          {blocks.map(({ position, type, path, state, original_text }) => (
            <li key={position} className="flex flex-col gap-1">
              <p className="flex min-w-0 items-center gap-2 text-xs">
                <InspectorLink conversationId={conversationId} to={{ tab: "blocks", position, filters: NO_FILTERS }}>
                  Block {position}
                </InspectorLink>
                <span className="font-mono">{type}</span>
                <Tag tone="ochre">{state}</Tag>
                <span className="truncate font-mono text-2xs text-faint">{path}</span>
              </p>
              <TextBox name={`Original of block ${position}`} text={original_text} words={words} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
