/** The component that draws each kind of row. It gets the fields of the row as props. */
import type { ComponentType } from "react";
import { AnswerRow } from "./answer-row.tsx";
import { CompactionRow } from "./compaction-row.tsx";
import { EndRow } from "./end-row.tsx";
import { FilesRow } from "./files-row.tsx";
import { PlanCard } from "./plan-card.tsx";
import { OutgoingRow, PendingRow, PromptRow, SteerRow } from "./prompt-row.tsx";
import { RoundRow } from "./round-row.tsx";
import type { Row } from "./rows.ts";
import { WorkRow } from "./work-row.tsx";

export const ROW_KINDS: { readonly [K in Row["kind"]]: ComponentType<Omit<Row & { readonly kind: K }, "key">> } = {
  prompt: PromptRow,
  steer: SteerRow,
  plan: PlanCard,
  work: WorkRow,
  round: RoundRow,
  compaction: CompactionRow,
  // Both kinds use one component, so that live text becomes the answer without a new element.
  live: AnswerRow,
  answer: AnswerRow,
  files: FilesRow,
  end: EndRow,
  pending: PendingRow,
  outgoing: OutgoingRow,
};
