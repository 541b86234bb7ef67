/** The end of a turn: how it ended, follow-up questions, and actions. */
import { knownSources, replaceCitations, type TurnView } from "@cairn/timeline";
import {
  CircleSlash,
  Download,
  GitFork,
  Link as LinkIcon,
  Microscope,
  PencilLine,
  RotateCw,
  ThumbsDown,
  ThumbsUp,
  TriangleAlert,
} from "lucide-react";
import { useContext } from "react";
import { answerAddress, withLinks } from "../api/client.ts";
import { ReadingContext } from "../markdown/reading-context.ts";
import { addressOf, navigate } from "../route/location.ts";
import { useApp } from "../state/app-state.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { askAgain, forkAfter, judge } from "../state/turn-actions.ts";
import { Banner } from "../ui/banner.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { saveFile } from "../ui/stored-bytes.tsx";
import { ChatContext } from "./chat-context.ts";
import { FallbackNotices } from "./fallback-notices.tsx";
import { useFold } from "./folds.ts";
import { ForkedFromNote } from "./forked-from.tsx";
import { WhyBad } from "./why-bad.tsx";

export function EndRow({ turn }: { readonly turn: TurnView }) {
  const { conversationId, edit, suggest } = useContext(ChatContext);
  const { source } = useContext(ReadingContext);
  const mayInspect = useMayInspect();
  const answer = turn.completion?.text ?? null;
  const known = turn.completion?.sources_known ?? 0;
  const isLast = useApp((state) => state.session?.view.turns.at(-1)?.turn_id === turn.turn_id);
  const reaction = turn.feedback.at(-1)?.reaction ?? null;
  const [isAsking, setAsking] = useFold(`${turn.turn_id} why`, false);
  const say = (wanted: "up" | "down") => {
    // Equal feedback is not sent again, because the agent receives every feedback.
    if (wanted !== reaction) void judge(conversationId, turn.turn_id, wanted);
    setAsking(wanted === "down");
  };
  return (
    <div className="group/end flex flex-col gap-3 pt-2 pb-3">
      <FallbackNotices turn={turn} />
      <HowItEnded turn={turn} />
      {isLast && turn.followups.length > 0 ? (
        <ul className="flex flex-wrap gap-2 print:hidden" aria-label="What to ask next">
          {turn.followups.slice(0, 4).map((text) => (
            <li key={text} className="max-w-full">
              <button
                type="button"
                onClick={() => suggest(text)}
                className="max-w-full truncate rounded-full border border-line bg-surface px-3 py-1 text-sm text-soft hover:border-accent hover:text-accent"
              >
                {text}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div role="toolbar" aria-label={`Turn ${turn.n}`} className="-ml-1.5 flex flex-wrap items-center print:hidden">
        {answer === null ? null : (
          // Copies citations as links, because citation tokens mean nothing outside the app.
          <CopyButton
            text={() =>
              replaceCitations(
                answer,
                knownSources((sid) => source?.(sid), known),
                "markdown",
              )
            }
            label="Copy the answer"
          />
        )}
        <CopyButton
          text={() => addressOf({ page: "chat", conversationId, turnId: `${turn.turn_id} answer` })}
          label="Copy the address of the answer"
          icon={<LinkIcon />}
        />
        {answer === null ? null : (
          <IconButton
            label="Download the answer"
            size="small"
            onClick={() => saveFile(withLinks(answerAddress(conversationId, turn.turn_id)), `answer-${turn.n}.md`)}
          >
            <Download />
          </IconButton>
        )}
        <IconButton label="Good answer" size="small" aria-pressed={reaction === "up"} onClick={() => say("up")}>
          <ThumbsUp />
        </IconButton>
        <IconButton label="Bad answer" size="small" aria-pressed={reaction === "down"} onClick={() => say("down")}>
          <ThumbsDown />
        </IconButton>
        <IconButton label="Ask again" size="small" onClick={() => askAgain(conversationId, turn, turn.prompt.text)}>
          <RotateCw />
        </IconButton>
        <IconButton label="Edit and send again" size="small" onClick={() => edit(turn)}>
          <PencilLine />
        </IconButton>
        <IconButton label="Fork from here" size="small" onClick={() => forkAfter(conversationId, turn.turn_id)}>
          <GitFork />
        </IconButton>
        {mayInspect ? (
          <IconButton
            label="Inspect this turn"
            size="small"
            onClick={() =>
              navigate({
                page: "inspect",
                conversationId,
                rest: ["blocks"],
                search: `?turn=${encodeURIComponent(turn.turn_id)}`,
              })
            }
          >
            <Microscope />
          </IconButton>
        ) : null}
        {turn.model === undefined ? null : (
          <span className="ml-2 min-w-0 truncate font-mono text-2xs text-faint">{turn.model}</span>
        )}
        {turn.compacted ? (
          <span className="ml-2 text-xs text-faint">The model sees a summary of this turn.</span>
        ) : null}
      </div>
      <ForkedFromNote turn={turn} />
      {isAsking ? (
        <WhyBad conversationId={conversationId} turnId={turn.turn_id} onClose={() => setAsking(false)} />
      ) : null}
    </div>
  );
}

/** Why the turn failed, unless the answer already says so. */
function failureOf({ error, completion }: TurnView): string {
  if (error === null || error.message === "" || completion?.text.includes(error.message) === true)
    return "The turn failed.";
  return `The turn failed: ${error.message}`;
}

function HowItEnded({ turn }: { readonly turn: TurnView }) {
  const { conversationId } = useContext(ChatContext);
  switch (turn.exit) {
    case "complete":
    case "clarify":
    case null:
      return null;
    case "cancelled":
      return (
        <p className="flex items-center gap-1.5 text-sm text-faint">
          <CircleSlash className="size-4" /> Stopped
        </p>
      );
    case "budget":
    case "max_iterations":
      return (
        <Banner tone="ochre" icon={<TriangleAlert />}>
          {turn.exit === "budget"
            ? "The budget for this turn is used up."
            : "The turn reached its maximum number of steps."}{" "}
          What was found so far is above.
        </Banner>
      );
    case "error":
    case "quarantined":
      return (
        <Banner
          tone="danger"
          icon={<TriangleAlert />}
          action={
            <Button
              size="small"
              look="danger"
              icon={<RotateCw className="size-3.5" />}
              onClick={() => askAgain(conversationId, turn, turn.prompt.text)}
            >
              Try again
            </Button>
          }
        >
          {failureOf(turn)}
        </Banner>
      );
    default:
      return <p className="text-sm text-faint">Ended: {turn.exit}</p>;
  }
}
