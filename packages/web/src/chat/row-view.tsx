/** Draws a row of the conversation with the component of its kind. */
import type { TurnView } from "@cairn/timeline";
import { FoldVertical } from "lucide-react";
import { memo, useContext } from "react";
import { FileCard } from "../files/file-card.tsx";
import { FoundRow } from "../find/found-row.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { Button } from "../ui/button.tsx";
import { AnswerRow } from "./answer-row.tsx";
import { ChatContext } from "./chat-context.ts";
import { EndRow } from "./end-row.tsx";
import { useFold } from "./folds.ts";
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

/** A line in the turn during which the beginning of the conversation was summarised. */
function CompactionRow({ turn }: { readonly turn: TurnView }) {
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

/** Maximum number of file cards. More files are behind a button, unless it would hide only one. */
const MAX_CARDS = 12;

/** The files of a turn: the first ones, and all on request. */
function FilesRow({ turn }: { readonly turn: TurnView }) {
  const { conversationId, openFile } = useContext(ChatContext);
  const [isWhole, setWhole] = useFold(`${turn.turn_id} files`, turn.files.length <= MAX_CARDS + 1);
  const shown = isWhole ? turn.files : turn.files.slice(0, MAX_CARDS);
  return (
    <>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-2.5" aria-label="Files">
        {shown.map((file) => (
          <li key={file.path} className="min-w-0">
            <FileCard conversationId={conversationId} file={file} onOpen={() => openFile(file)} />
          </li>
        ))}
      </ul>
      {isWhole ? null : (
        <Button size="small" look="quiet" className="mt-2" onClick={() => setWhole(true)}>
          All {turn.files.length} files
        </Button>
      )}
    </>
  );
}
