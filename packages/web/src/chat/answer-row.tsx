/** The answer of a turn with the reasoning before it, and until then its live text and status. Only this row renders while text streams in. */
import type { CompletionView, TurnView } from "@cairn/timeline";
import { Brain, PencilLine } from "lucide-react";
import { memo, useCallback } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { KnownSourcesContext } from "../markdown/reading-context.ts";
import { useApp } from "../state/app-state.ts";
import { sameItems } from "../state/store.ts";
import { LiveStatus } from "./live-status.tsx";
import { streamsOf } from "./rows.ts";
import { Thinking } from "./thinking.tsx";

const NONE: readonly string[] = [];
const SAID = "said";

export function AnswerRow({ turn, kind }: { readonly turn: TurnView; readonly kind: "live" | "answer" }) {
  const id = turn.turn_id;
  const isLive = kind === "live";
  const keys = useApp(
    useCallback(({ session }) => (isLive && session !== null ? streamsOf(session.streams, id) : NONE), [id, isLive]),
    sameItems,
  );
  const said = isLive ? keys.findLast((key) => key.endsWith(" say")) : SAID;
  return (
    <div className="mt-4 flex flex-col gap-3">
      {isLive || turn.thinking === undefined ? null : <Thinking id={`${id} answer`} text={turn.thinking} />}
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
  /** The stored answer, which replaces the streamed text. */
  readonly completion: CompletionView | null;
}

const Said = memo(({ streamKey, n, completion }: SaidProps) => {
  const streamed = useApp(useCallback(({ session }) => session?.streams.get(streamKey)?.text ?? "", [streamKey]));
  const highest = useApp(({ session }) => session?.view.highest_sid ?? 0);
  if (completion === null && streamed === "") return null;
  return (
    <article aria-label={completion === null ? undefined : `Answer ${n}`}>
      <KnownSourcesContext value={completion?.sources_known ?? highest}>
        <Markdown text={completion === null ? streamed : shownAnswer(completion)} isOpen={completion === null} />
      </KnownSourcesContext>
      {completion?.interrupted === true ? <p className="mt-2 text-sm text-faint">Cut off here.</p> : null}
    </article>
  );
});

/** Structured output is shown as code. */
function shownAnswer({ text, output }: CompletionView): string {
  return output === undefined ? text : `~~~~json\n${JSON.stringify(output, null, 2)}\n~~~~`;
}

const SHOWN = 1_600;

/** The end of the thinking, or of the text for a file, in small type while it is written. */
const Aside = memo(({ streamKey }: { readonly streamKey: string }) => {
  const open = useApp(useCallback((state) => state.session?.streams.get(streamKey) ?? null, [streamKey]));
  if (open === null || open.text === "") return null;
  if (open.kind === "say") return <Markdown text={open.text} isOpen />;
  const isThought = open.kind === "thinking";
  const name = open.path?.split("/").at(-1) ?? "a file";
  return (
    <section
      aria-label={isThought ? "Thinking" : `Writing ${name}`}
      className="rounded-xl border border-line bg-surface px-3.5 py-2.5"
    >
      <h3 className="mb-1 flex items-center gap-1.5 text-xs text-faint [&_svg]:size-3.5">
        {isThought ? <Brain /> : <PencilLine />} {isThought ? "Thinking" : `Writing ${name}`}
      </h3>
      <div className="flex max-h-40 flex-col-reverse overflow-hidden">
        <p className={isThought ? "text-sm whitespace-pre-wrap text-soft italic" : "code whitespace-pre-wrap"}>
          {open.text.slice(-SHOWN)}
        </p>
      </div>
    </section>
  );
});
