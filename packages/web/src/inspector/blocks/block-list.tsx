/** The list of blocks. Only visible blocks are rendered, and more are loaded near the end of the list. */
import type { Block } from "@cairn/api";
import { Boxes } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { Link } from "../../route/link.tsx";
import { useTurnName } from "../../state/turn-name.ts";
import { formatCount } from "../../text/format-count.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type BlockFilters, routeTo } from "../data/place.ts";
import { glimpse } from "../parts/glimpse.ts";
import { Marked } from "../parts/marked.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { Tag, toneOf } from "../parts/tag.tsx";
import { VirtualItems } from "../parts/virtual-items.tsx";
import { useBlocks } from "./use-blocks.ts";

export interface BlockListProps {
  readonly conversationId: string;
  readonly position: number | null;
  readonly filters: BlockFilters;
  /** The position at which the list begins; null to begin at the oldest or newest block. */
  readonly initialFrom: number | null;
  readonly seq: number;
}

export function BlockListView({ conversationId, position, filters, initialFrom, seq }: BlockListProps) {
  const [from, setFrom] = useState(initialFrom);
  const list = useBlocks(conversationId, filters, from, seq);
  const { blocks, hasMore, loadMore } = list;
  const isLooking = blocks.length === 0 && hasMore;
  useEffect(() => {
    if (isLooking) loadMore();
  }, [isLooking, loadMore]);

  if (list.phase === "failed" && blocks.length === 0)
    return <Problem title="The blocks could not be loaded" problem={list.problem ?? ""} onRetry={list.reload} />;
  if (list.phase === "loading" || isLooking) return <Waiting label="Loading blocks" />;
  if (blocks.length === 0)
    return (
      <EmptyState icon={<Boxes />} title="No blocks">
        No block matches the filter.
      </EmptyState>
    );
  return (
    <>
      <VirtualItems
        name="Blocks"
        items={blocks}
        keyOf={(block) => block.position}
        height={58}
        first={blocks.findIndex((block) => block.position === position)}
        onNearEnd={loadMore}
        above={
          <>
            {from !== null && filters.order === "oldest" ? (
              <div className="border-b border-line p-2 text-center">
                <Button size="small" look="quiet" onClick={() => setFrom(null)}>
                  Show from the first block
                </Button>
              </div>
            ) : null}
            {list.hasNewer ? (
              <div className="border-b border-line p-2 text-center" role="status">
                <Button size="small" look="quiet" onClick={list.reload}>
                  There are newer blocks. Show them
                </Button>
              </div>
            ) : null}
          </>
        }
      >
        {(block, index) => (
          <BlockItem
            conversationId={conversationId}
            block={block}
            filters={filters}
            isChosen={block.position === position}
            isFirst={index === 0}
            isNewTurn={index === 0 || block.turn_id !== blocks[index - 1]?.turn_id}
          />
        )}
      </VirtualItems>
      {list.phase === "failed" ? (
        <p role="alert" className="flex items-center gap-2 border-t border-line px-4 py-2 text-xs text-danger">
          <span className="flex-1">The rest could not be loaded: {list.problem}</span>
          <Button size="small" onClick={list.retryMore}>
            Try again
          </Button>
        </p>
      ) : null}
    </>
  );
}

interface BlockItemProps {
  readonly conversationId: string;
  readonly block: Block;
  readonly filters: BlockFilters;
  readonly isChosen: boolean;
  readonly isFirst: boolean;
  readonly isNewTurn: boolean;
}

/** Memoised, because a scrolling list renders the same rows in every frame. */
const BlockItem = memo(({ conversationId, block, filters, isChosen, isFirst, isNewTurn }: BlockItemProps) => {
  const { position, type, state, path, tokens, text, turn_id } = block;
  const turnTitle = useTurnName(turn_id);
  return (
    <>
      {isNewTurn && turn_id !== null ? (
        <p className={cx("px-4 pt-2 pb-0.5 text-2xs text-faint", !isFirst && "border-t border-line")}>{turnTitle}</p>
      ) : null}
      <Link
        to={routeTo(conversationId, { tab: "blocks", position, filters })}
        {...(isChosen ? { "aria-current": "true" } : {})}
        className={cx(
          "block px-4 py-1.5 focus-visible:-outline-offset-2",
          isChosen ? "bg-accent-soft" : "hover:bg-hover",
        )}
      >
        <span className="flex items-center gap-2 text-xs">
          <span className="w-9 shrink-0 text-faint tabular-nums">{position}</span>
          <span className={cx("shrink-0 truncate font-mono font-medium", state !== "visible" && "text-faint")}>
            {type}
          </span>
          {state === "visible" ? null : <Tag tone={toneOf(state)}>{state}</Tag>}
          <span className="min-w-0 flex-1 truncate font-mono text-2xs text-faint">{path}</span>
          <span className="shrink-0 text-faint tabular-nums">{formatCount(tokens)}</span>
        </span>
        <span className="ml-11 block truncate text-xs text-soft">
          <Marked text={glimpse(text ?? "", filters.q, 200).replaceAll("\n", " ")} words={filters.q} />
        </span>
      </Link>
    </>
  );
});
