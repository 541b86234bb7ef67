/**
 * The answer of a turn, and before that its live text and status. Only this row is re-rendered while text streams in.
 * The text stays in place when it becomes the answer.
 */
import type { CompletionView, TurnView } from "@cairn/timeline";
import { memo, useCallback } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { KnownSourcesContext } from "../markdown/reading-context.ts";
import { appStore } from "../state/app-state.ts";
import { sameItems, useStore } from "../state/store.ts";
import { Aside } from "./aside.tsx";
import { LiveStatus } from "./live-status.tsx";
import { streamsOf } from "./rows.ts";

const NONE: readonly string[] = [];
const SAID = "said";

export function AnswerRow({ turn, isLive }: { readonly turn: TurnView; readonly isLive: boolean }) {
  const id = turn.turn_id;
  const keys = useStore(
    appStore,
    useCallback(({ session }) => (isLive && session !== null ? streamsOf(session.streams, id) : NONE), [id, isLive]),
    sameItems,
  );
  const said = isLive ? keys.findLast((key) => key.endsWith(" say")) : SAID;
  return (
    <div className="mt-4 flex flex-col gap-3">
      {(isLive ? keys : [SAID]).map((key) =>
        key === said ? (
          <Said key={SAID} streamKey={key} n={turn.n} completion={isLive ? null : turn.completion} />
        ) : (
          <Aside key={key} streamKey={key} />
        ),
      )}
      {isLive ? <LiveStatus turn={turn} isSaying={keys.length > 0} /> : null}
    </div>
  );
}

interface SaidProps {
  readonly streamKey: string;
  readonly n: number;
  /** What the stream has become. */
  readonly completion: CompletionView | null;
}

const Said = memo(({ streamKey, n, completion }: SaidProps) => {
  const streamed = useStore(
    appStore,
    useCallback(({ session }) => session?.streams.get(streamKey)?.text ?? "", [streamKey]),
  );
  const highest = useStore(appStore, ({ session }) => session?.view.highest_sid ?? 0);
  if (completion === null && streamed === "") return null;
  return (
    <article aria-label={completion === null ? undefined : `Answer ${n}`}>
      <KnownSourcesContext value={completion?.sources_known ?? highest}>
        <Markdown text={completion?.text ?? streamed} isOpen={completion === null} />
      </KnownSourcesContext>
      {completion?.interrupted === true ? <p className="mt-2 text-sm text-faint">Cut off here.</p> : null}
    </article>
  );
});
