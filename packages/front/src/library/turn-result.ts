/** How a turn ended, or why it waits, as plain data. */
import { extractCitations, type FileView, type Json, type SourceRow, type TurnView } from "@cairn/timeline";
import type { Approval } from "./run-part.ts";
import { approvalOf } from "./run-parts.ts";
import type { RunSpending } from "./run-spending.ts";
import type { TurnChanges } from "./turn-changes.ts";

export interface TurnResult extends RunSpending {
  /**
   * How the turn ended: `complete`; `clarify` with a question to the user; `cancelled`, also if the message was
   * withdrawn; `max_iterations` or `budget` when a limit was reached; `error` or `quarantined` with an `error`;
   * `waiting` when calls wait for approval, and the turn continues when they are answered.
   */
  readonly exit: string;
  /** The answer, with citations as links. */
  readonly text: string;
  /** The files that the turn wrote. */
  readonly files: readonly FileView[];
  /** The sources that the answer cites. */
  readonly sources: readonly SourceRow[];
  /** Questions that the user may want to ask next. */
  readonly followups: readonly string[];
  /** The calls that wait for approval. */
  readonly approvals: readonly Approval[];
  /** The value, if the message asked for structured output. */
  readonly output?: Json;
  readonly error: TurnView["error"];
}

export function turnResult({ turn, text, spending, view, isWithdrawn }: TurnChanges): TurnResult {
  const {
    exit = isWithdrawn ? "cancelled" : null,
    error = null,
    completion = null,
    files = [],
    followups = [],
  } = turn ?? {};
  const cited = new Set(extractCitations(completion?.text ?? "", "markdown"));
  const known = completion?.sources_known ?? 0;
  return {
    exit: exit ?? "waiting",
    text,
    ...spending,
    files,
    sources: view.sources.filter(({ sid }) => sid <= known && cited.has(sid)),
    followups,
    approvals: exit === null ? view.approvals.map(approvalOf) : [],
    ...(completion?.output === undefined ? {} : { output: completion.output }),
    error,
  };
}
