/** The list of blocks. Only what is in sight is drawn, and more is asked for when its end comes near. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { Boxes } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "../../route/link.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { REACHABLE } from "../../ui/reachable.ts";
import { formatCount } from "../format-count.ts";
import { glimpse } from "../parts/glimpse.ts";
import { Marked } from "../parts/marked.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { Tag, toneOf } from "../parts/tag.tsx";
import { type BlockFilters, routeTo } from "../place.ts";
import type { Block } from "../schemas.ts";
import { useBlocks } from "./use-blocks.ts";

export interface BlockListProps {
  readonly conversationId: string;
  readonly position: number | null;
  readonly filters: BlockFilters;
  /** Where the list begins; null at an end of the timeline. */
  readonly initialFrom: number | null;
  readonly seq: number;
}

const NEAR_END = 20;

export function BlockListView({ conversationId, position, filters, initialFrom, seq }: BlockListProps) {
  const [from, setFrom] = useState(initialFrom);
  const list = useBlocks(conversationId, filters, from, seq);
  const { blocks, hasMore, loadMore } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => blocks[index]?.position ?? index, [blocks]),
    estimateSize: () => 58,
    overscan: 6,
    paddingEnd: 24,
  });
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= blocks.length - NEAR_END) loadMore();
  }, [hasMore, last, blocks.length, loadMore]);
  const isFirst = useRef(true);
  useEffect(() => {
    const index = blocks.findIndex((block) => block.position === position);
    if (!isFirst.current || blocks.length === 0) return;
    isFirst.current = false;
    if (index > 0) virtualizer.scrollToIndex(index, { align: "center" });
  }, [blocks, position, virtualizer]);

  if (list.phase === "failed" && blocks.length === 0)
    return <Problem title="The blocks could not be loaded" problem={list.problem ?? ""} onRetry={list.reload} />;
  if (list.phase === "loading" || (blocks.length === 0 && hasMore)) return <Waiting label="Loading blocks" />;
  if (blocks.length === 0)
    return (
      <EmptyState icon={<Boxes />} title="No blocks">
        Nothing on the timeline fits what you asked for.
      </EmptyState>
    );
  return (
    <section
      ref={scroller}
      {...REACHABLE}
      aria-label="Blocks"
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-none focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
    >
      {from !== null && filters.order === "oldest" ? (
        <div className="border-b border-line p-2 text-center">
          <Button size="small" look="quiet" onClick={() => setFrom(null)}>
            Begin with the first block
          </Button>
        </div>
      ) : null}
      {list.hasNewer ? (
        <div className="border-b border-line p-2 text-center" role="status">
          <Button size="small" look="quiet" onClick={list.reload}>
            The conversation has gone on. Show the newest
          </Button>
        </div>
      ) : null}
      <ol className="relative m-0 list-none p-0" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const block = blocks[index];
          return block === undefined ? null : (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <BlockItem
                conversationId={conversationId}
                block={block}
                filters={filters}
                isChosen={block.position === position}
                isFirst={index === 0}
                isNewTurn={index === 0 || block.turn_id !== blocks[index - 1]?.turn_id}
              />
            </li>
          );
        })}
      </ol>
    </section>
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

function BlockItem({ conversationId, block, filters, isChosen, isFirst, isNewTurn }: BlockItemProps) {
  const { position, type, state, path, tokens, text, turn_id } = block;
  return (
    <>
      {isNewTurn && turn_id !== null ? (
        <p className={cx("px-4 pt-2 pb-0.5 font-mono text-2xs text-faint", !isFirst && "border-t border-line")}>
          {turn_id}
        </p>
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
}
