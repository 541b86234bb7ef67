/** One round: the agent's reasoning and notes, the action, and its status. Parameters and results unfold below. */
import type { RoundIcon, RoundView, TurnView } from "@cairn/timeline";
import {
  Ban,
  BookOpen,
  ChevronRight,
  CircleX,
  EyeOff,
  FileOutput,
  Globe,
  ListChecks,
  PencilLine,
  Search,
  SquareTerminal,
  TriangleAlert,
  Wrench,
} from "lucide-react";
import { useContext, useEffect, useState } from "react";
import { FileChip } from "../files/file-chip.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { KnownSourcesContext } from "../markdown/reading-context.ts";
import { useApp } from "../state/app-state.ts";
import { formatDuration } from "../text/format-time.ts";
import { cx } from "../ui/class-names.ts";
import { Pebble, type PebbleTone } from "../ui/pebble.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { ChatContext } from "./chat-context.ts";
import { describeRound, troubleOf } from "./describe-round.ts";
import { useFold } from "./folds.ts";
import { RoundDetails } from "./round-details.tsx";
import { Thinking } from "./thinking.tsx";

const ICONS: Readonly<Record<RoundIcon, React.ReactNode>> = {
  read: <BookOpen />,
  write: <PencilLine />,
  plan: <ListChecks />,
  search: <Search />,
  web: <Globe />,
  run: <SquareTerminal />,
  hide: <EyeOff />,
  document: <FileOutput />,
  tool: <Wrench />,
};

const TONES: Readonly<Record<RoundView["status"], PebbleTone>> = {
  waiting_approval: "ochre",
  running: "accent",
  ok: "faint",
  error: "danger",
  interrupted: "ochre",
};

/** The display of a failed call: a symbol, a colour and words. */
const TROUBLES = {
  failed: { tone: "danger", colour: "text-danger", sign: <CircleX />, words: "failed" },
  partly_failed: { tone: "ochre", colour: "text-ochre", sign: <TriangleAlert />, words: "partly failed" },
  stopped: { tone: "ochre", colour: "text-ochre", sign: <Ban />, words: "stopped" },
  refused: { tone: "ochre", colour: "text-ochre", sign: <Ban />, words: "refused" },
} as const;

export function RoundRow({ turn, round }: { readonly turn: TurnView; readonly round: RoundView }) {
  const { openFile } = useContext(ChatContext);
  const [isOpen, setOpen] = useFold(round.call_id, false);
  const { icon, words } = describeRound(round);
  const notes = withoutMarks(round.notes ?? "");
  const trouble = lookOf(round);
  return (
    <div className="relative ml-2 border-l border-line pb-1.5 pl-5">
      {round.thinking === undefined ? null : <Thinking id={round.call_id} text={round.thinking} />}
      {notes === "" ? null : (
        <div className="py-1.5 text-soft">
          <KnownSourcesContext value={round.sources_known}>
            <Markdown text={notes} isCompact />
          </KnownSourcesContext>
        </div>
      )}
      <div className="relative">
        <span className="absolute top-2 -left-[1.5625rem] flex">
          <Pebble tone={trouble?.tone ?? TONES[round.status]} alive={round.status === "running"} />
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex w-full items-center gap-2 rounded-md py-1 text-left text-sm text-soft hover:text-ink [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-faint"
        >
          {ICONS[icon]}
          <span className="min-w-0 truncate">{words}</span>
          {trouble === null ? (
            <span className="shrink-0 text-xs text-faint tabular-nums">
              {round.status === "running" ? <Clock since={round.started_at} /> : statusWords(round)}
            </span>
          ) : (
            <span className={cx("flex min-w-0 items-center gap-1 text-xs [&>svg]:size-3.5", trouble.colour)}>
              {trouble.sign}
              <span className="min-w-0 truncate">{troubleWords(round, trouble.words)}</span>
            </span>
          )}
          <ChevronRight className={cx("ml-auto transition-transform", isOpen && "rotate-90")} aria-hidden="true" />
        </button>
        {round.status === "running" ? <Progress callId={round.call_id} isOutput={icon === "run"} /> : null}
        <Output name="Output until it was stopped" text={outputOfStopped(round)} />
        {round.status === "waiting_approval" ? <ApprovalCard round={round} /> : null}
        {isOpen ? <RoundDetails turn={turn} round={round} /> : null}
        {round.files.length > 0 ? (
          <ul className="flex flex-wrap gap-1.5 py-1">
            {round.files.map((file) => (
              <li key={file.path}>
                <FileChip name={file.name} mime={file.mime} size={file.size_bytes} onOpen={() => openFile(file)} />
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  );
}

/** The notes without lines that only update the plan, because the plan shows these changes. */
function withoutMarks(notes: string): string {
  return notes.replace(/^[ \t]*[✓✗□…→][ \t]*(?:\[\d+\]|\d+[.)]).*$/gm, "").trim();
}

/** Says what went wrong with a call; null for a call that succeeded or still runs. */
function lookOf(round: RoundView) {
  if (round.status === "running" || round.status === "waiting_approval") return null;
  const trouble = troubleOf(round);
  return trouble === null ? null : TROUBLES[trouble];
}

function troubleWords({ status, outcome }: RoundView, words: string): string {
  if (status === "interrupted") return "interrupted";
  if (words === TROUBLES.stopped.words) return words;
  return outcome?.reason == null ? words : `${words}: ${outcome.reason}`;
}

function statusWords(round: RoundView): string {
  switch (round.status) {
    case "waiting_approval":
      return "waiting for you";
    case "running":
      return "";
    default:
      return formatDuration(round.started_at, round.settled_at);
  }
}

/** How long a call has been running, by the clock of this browser. Screen readers do not announce each second. */
function Clock({ since }: { readonly since: string | null }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = since === null ? 0 : Math.floor((now - Date.parse(since)) / 1_000);
  return seconds < 1 ? null : <span aria-live="off">{formatDuration(since, new Date(now).toISOString())}</span>;
}

const OUTPUT_LINES = 8;

/** The latest progress message of a running tool, or the last lines that a running program has printed. */
function Progress({ callId, isOutput }: { readonly callId: string; readonly isOutput: boolean }) {
  const progress = useApp((state) => state.session?.progress.get(callId) ?? null);
  if (progress === null) return null;
  if (isOutput) return <Output name="Output so far" text={progress.join("\n")} />;
  return (
    <div className="pb-1 text-xs text-faint">
      <span className="block truncate">{progress.at(-1)}</span>
    </div>
  );
}

/** The last lines of a program's output. */
function Output({ name, text }: { readonly name: string; readonly text: string }) {
  if (text.trim() === "") return null;
  return (
    <output
      aria-label={name}
      aria-live="off"
      className="mb-1 block overflow-hidden rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs whitespace-pre text-soft"
    >
      {text.trimEnd().split("\n").slice(-OUTPUT_LINES).join("\n")}
    </output>
  );
}

/** What a program had printed before the user stopped it; empty for other calls. */
function outputOfStopped(round: RoundView): string {
  if (round.traits.report !== "program" || troubleOf(round) !== "stopped") return "";
  return round.results.at(-1)?.text.split("Program log (tail):\n")[1] ?? "";
}
