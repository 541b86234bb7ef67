/** A row of the conversation, whatever its kind. */
import { memo } from "react";
import { FoundRow } from "../find/found-row.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { AnswerRow } from "./answer-row.tsx";
import { CompactionRow } from "./compaction-row.tsx";
import { EndRow } from "./end-row.tsx";
import { FilesRow } from "./files-row.tsx";
import { PlanCard } from "./plan-card.tsx";
import { OutgoingRow, PendingRow, PromptRow, SteerRow } from "./prompt-row.tsx";
import { RoundRow } from "./round-row.tsx";
import type { Row } from "./rows.ts";
import { WorkRow } from "./work-row.tsx";

const UNDRAWN = <p className="py-2 text-sm text-faint">This part cannot be shown. The inspector shows its content.</p>;

export const RowView = memo(({ row }: { readonly row: Row }) => (
  <Boundary key={row.key} fallback={UNDRAWN}>
    <FoundRow rowKey={row.key}>
      <Drawn row={row} />
    </FoundRow>
  </Boundary>
));

function Drawn({ row }: { readonly row: Row }) {
  switch (row.kind) {
    case "prompt":
      return <PromptRow turn={row.turn} />;
    case "steer":
      return <SteerRow input={row.input} />;
    case "plan":
      return <PlanCard turn={row.turn} />;
    case "work":
      return <WorkRow turn={row.turn} isFolded={row.isFolded} />;
    case "round":
      return <RoundRow turn={row.turn} round={row.round} />;
    case "compaction":
      return <CompactionRow turn={row.turn} />;
    case "live":
    case "answer":
      return <AnswerRow turn={row.turn} isLive={row.kind === "live"} />;
    case "files":
      return <FilesRow turn={row.turn} />;
    case "end":
      return <EndRow turn={row.turn} />;
    case "pending":
      return <PendingRow pending={row.pending} />;
    case "outgoing":
      return <OutgoingRow outgoing={row.outgoing} />;
  }
}
