/** The timeline, block by block, with filters and search; each block with all its data. */
import { useRef } from "react";
import { type BlockFilters, routeTo } from "../data/place.ts";
import { useJournalSeq } from "../data/use-journal-seq.ts";
import { SplitView } from "../parts/split-view.tsx";
import { BlockDetails } from "./block-details.tsx";
import { BlockFilterBar } from "./block-filter-bar.tsx";
import { BlockListView } from "./block-list.tsx";

export interface BlocksPageProps {
  readonly conversationId: string;
  readonly position: number | null;
  readonly filters: BlockFilters;
}

/** Number of blocks shown before a linked block. */
const BEFORE = 20;

export function BlocksPage({ conversationId, position, filters }: BlocksPageProps) {
  const seq = useJournalSeq(conversationId);
  // The position at which the list began when the page was opened, so that choosing a block moves nothing.
  const from = useRef(startOf(position, filters));
  return (
    <SplitView
      list={
        <>
          <BlockFilterBar conversationId={conversationId} position={position} filters={filters} />
          <BlockListView
            conversationId={conversationId}
            position={position}
            filters={filters}
            initialFrom={from.current}
            seq={seq}
          />
        </>
      }
      details={
        position === null ? null : <BlockDetails conversationId={conversationId} position={position} seq={seq} />
      }
      detailsName={`Block ${position}`}
      back={routeTo(conversationId, { tab: "blocks", position: null, filters })}
      backName="All blocks"
    />
  );
}

function startOf(position: number | null, { order, type, turn, state, q }: BlockFilters): number | null {
  const isNarrowed = [type, turn, state, q].some((value) => value !== "");
  return position === null || isNarrowed || order === "newest" || position <= BEFORE ? null : position - BEFORE;
}
