/** What a turn is saying and doing this moment. Only this row is drawn while text comes in. */
import type { TurnView } from "@cairn/timeline";
import { Brain, CloudOff, PencilLine } from "lucide-react";
import { memo, useCallback } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { appStore } from "../state/app-state.ts";
import type { OpenStream } from "../state/live-text.ts";
import { sameItems, useStore } from "../state/store.ts";
import { Banner } from "../ui/banner.tsx";
import { Mark } from "../ui/mark.tsx";
import { streamsOf } from "./rows.ts";

const NONE: readonly string[] = [];

export function LiveRow({ turn }: { readonly turn: TurnView }) {
  const id = turn.turn_id;
  const keys = useStore(
    appStore,
    useCallback((state) => (state.session === null ? NONE : streamsOf(state.session.streams, id)), [id]),
    sameItems,
  );
  const waiting = useStore(appStore, (state) => state.session?.waiting ?? null);
  const isLost = useStore(appStore, (state) => state.session?.connection === "lost");
  const isStopping = useStore(appStore, (state) => state.session?.isStopping ?? false);
  const isAtWork = turn.rounds.some(({ status }) => status === "running");
  const isAsking = turn.rounds.some(({ status }) => status === "waiting_approval");
  return (
    <div className="mt-3 flex flex-col gap-3">
      {keys.map((key) => (
        <Stream key={key} streamKey={key} />
      ))}
      {waiting === null ? null : (
        <Banner tone="ochre" icon={<CloudOff />}>
          The model cannot answer just now; it is asked again in {Math.max(1, Math.round(waiting.ms / 1000))} s.{" "}
          {waiting.reason}
        </Banner>
      )}
      {keys.length > 0 || isAsking || waiting !== null ? null : (
        <p className="flex items-center gap-2.5 py-1 text-sm text-faint">
          <Mark breathing={!isLost} className="size-5" />
          {isLost ? "No word from the server…" : isStopping ? "Stopping…" : isAtWork ? "At work…" : "Thinking…"}
        </p>
      )}
    </div>
  );
}

const Stream = memo(({ streamKey }: { readonly streamKey: string }) => {
  const open = useStore(
    appStore,
    useCallback((state) => state.session?.streams.get(streamKey) ?? null, [streamKey]),
  );
  if (open === null || open.text === "") return null;
  if (open.kind === "say") return <Markdown text={open.text} isOpen />;
  return <Aside open={open} />;
});

const SHOWN = 1_600;

/** Thoughts, and text on its way into a file: the last of it, in small. */
function Aside({ open }: { readonly open: OpenStream }) {
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
}
