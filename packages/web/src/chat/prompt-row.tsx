/** A message of the user, styled so that it stands out from answers. */
import type { FileView, InputView, PendingView, TurnView } from "@cairn/timeline";
import { Clock, CornerDownRight, PencilLine, RotateCw, Trash2, TriangleAlert, Undo2 } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { FileChip } from "../files/file-chip.tsx";
import { glimpseOfStored } from "../files/glimpse.tsx";
import { CodeBlock } from "../markdown/code-block.tsx";
import { useApp } from "../state/app-state.ts";
import { resendMessage, takeBackMessage } from "../state/send-message.ts";
import type { Outgoing } from "../state/session.ts";
import { withdraw } from "../state/turn-actions.ts";
import { waitingFiles } from "../state/waiting-files.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { ChatContext } from "./chat-context.ts";
import { MAX_SAID_LINES } from "./rows.ts";
import { splitFences } from "./split-fences.ts";
import { VersionSwitch } from "./version-switch.tsx";

export function PromptRow({ turn }: { readonly turn: TurnView }) {
  return (
    <div className="pt-6 first:pt-2">
      <Said
        text={turn.prompt.text}
        files={turn.attachments}
        heading={`Question ${turn.n}`}
        madeWith={turn.prompt.made_with}
      />
      <VersionSwitch turn={turn} />
    </div>
  );
}

export function SteerRow({ input }: { readonly input: InputView }) {
  return (
    <div className="py-1.5 pl-6">
      <Said
        text={input.text}
        files={input.attachments}
        madeWith={input.made_with}
        label={
          <>
            <CornerDownRight className="size-3.5" /> Sent while the agent was working
          </>
        }
      />
    </div>
  );
}

export function PendingRow({ pending }: { readonly pending: PendingView }) {
  const { conversationId, suggest } = useContext(ChatContext);
  // The files are known only when the server has answered, and the message may already be shown.
  const files = useApp(() => waitingFiles(pending.key));
  const edit = async () => {
    if (await withdraw(conversationId, pending.key)) suggest(pending.message, files, pending.mode);
  };
  const what = { turn: "Next", steer: "The agent sees it at its next step", "follow-up": "Starts when this turn ends" }[
    pending.mode
  ];
  return (
    <div className="pt-6">
      <Said
        text={pending.message}
        files={[]}
        names={pending.attachments.map(({ name }) => name)}
        isFaint
        label={
          <>
            <Clock className="size-3.5" /> {what}
          </>
        }
      >
        <div className="mt-1 flex justify-end gap-1">
          {/* A message with files that this page does not have cannot return to the composer, only be removed. */}
          {pending.attachments.length > 0 && files === undefined ? null : (
            <IconButton label="Edit the waiting message" size="small" onClick={() => void edit()}>
              <PencilLine />
            </IconButton>
          )}
          <IconButton
            label="Remove the waiting message"
            size="small"
            onClick={() => void withdraw(conversationId, pending.key)}
          >
            <Trash2 />
          </IconButton>
        </div>
      </Said>
    </div>
  );
}

export function OutgoingRow({ outgoing }: { readonly outgoing: Outgoing }) {
  const { conversationId, suggest } = useContext(ChatContext);
  const { key, problem, progress, files } = outgoing;
  const takeBack = (
    <Button
      size="small"
      icon={<Undo2 className="size-3.5" />}
      onClick={() => {
        takeBackMessage(conversationId, key);
        suggest(outgoing.message, files, outgoing.mode);
      }}
    >
      Take back
    </Button>
  );
  const isUploading = files.length > 0 && problem === null;
  return (
    <div className="pt-6">
      <Said
        text={outgoing.message}
        files={[]}
        names={files.map(({ name }) => name)}
        isFaint={problem === null}
        {...(problem === null ? { label: <OnItsWay delay={outgoing.delay} /> } : {})}
      >
        {problem === null && outgoing.acceptedSeq === null ? (
          <div className="mt-2 flex items-center gap-2 text-xs text-faint">
            {isUploading ? (
              <>
                <ProgressBar label="Upload" value={progress} className="flex-1" />
                <span className="tabular-nums">{Math.round(progress * 100)} %</span>
              </>
            ) : (
              <span className="flex-1" />
            )}
            {takeBack}
          </div>
        ) : null}
        {problem === null ? null : (
          <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 text-sm text-danger">
            <TriangleAlert className="size-4" />
            <span className="min-w-0 flex-1">Not sent: {problem}</span>
            {takeBack}
            <Button
              size="small"
              look="strong"
              icon={<RotateCw className="size-3.5" />}
              onClick={() => resendMessage(conversationId, outgoing)}
            >
              Send again
            </Button>
          </div>
        )}
      </Said>
    </div>
  );
}

function OnItsWay({ delay }: { readonly delay: string | null }) {
  return (
    <>
      <Clock className="size-3.5 shrink-0" /> {delay === null ? "Sending…" : `Retrying soon. ${delay}`}
    </>
  );
}

interface SaidProps {
  readonly text: string;
  readonly files: readonly FileView[];
  /** Files that are known only by name so far. */
  readonly names?: readonly string[];
  readonly label?: ReactNode;
  /** A heading for screen readers, which navigate by headings. */
  readonly heading?: string;
  /** The prompt of an MCP server from which the message was made. */
  readonly madeWith?: string | undefined;
  readonly isFaint?: boolean;
  readonly children?: ReactNode;
}

function Said({ text, files, names = [], label, heading, madeWith, isFaint = false, children }: SaidProps) {
  const { conversationId, openFile } = useContext(ChatContext);
  return (
    <div className={cx("rounded-2xl rounded-tl-md border border-line bg-sunken px-4 py-3", isFaint && "border-dashed")}>
      {heading === undefined ? null : <h2 className="sr-only">{heading}</h2>}
      {label === undefined ? null : <p className="mb-1 flex items-center gap-1.5 text-xs text-faint">{label}</p>}
      {madeWith === undefined ? null : (
        <p className="mb-1 text-xs text-faint [overflow-wrap:anywhere]">
          Made with the prompt <span className="font-mono">/{madeWith}</span>
        </p>
      )}
      {text === "" ? null : <SaidText text={text} isFaint={isFaint} />}
      {files.length + names.length > 0 ? (
        <ul className={cx("flex flex-wrap gap-1.5", text !== "" && "mt-2.5")} aria-label="Attachments">
          {files.map((file) => (
            <li key={file.path}>
              <FileChip
                name={file.name}
                mime={file.mime}
                size={file.size_bytes}
                glimpse={glimpseOfStored(conversationId, file)}
                onOpen={() => openFile(file)}
              />
            </li>
          ))}
          {names.map((name) => (
            <li key={name}>
              <FileChip name={name} mime={null} size={null} />
            </li>
          ))}
        </ul>
      ) : null}
      {children}
    </div>
  );
}

const MAX_CHARS = 3_000;

/** Shows text as it was typed. A long text or a long code block scrolls, so that the answer is near. */
function SaidText({ text, isFaint }: { readonly text: string; readonly isFaint: boolean }) {
  return splitFences(text).map((part, nth) =>
    part.kind === "code" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not change.
      <div key={nth} className="my-2 [&_pre]:max-h-72">
        <CodeBlock code={part.text} language={part.language} />
      </div>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not change.
      <SaidWords key={nth} text={part.text} isFaint={isFaint} />
    ),
  );
}

function SaidWords({ text, isFaint }: { readonly text: string; readonly isFaint: boolean }) {
  const isLong = text.length > MAX_CHARS || text.split("\n", MAX_SAID_LINES + 1).length > MAX_SAID_LINES;
  return (
    <p
      dir="auto"
      className={cx(
        "whitespace-pre-wrap [overflow-wrap:anywhere]",
        isFaint && "text-soft",
        isLong && "max-h-96 overflow-y-auto print:max-h-none",
      )}
      {...(isLong ? REACHABLE : {})}
    >
      {text}
    </p>
  );
}
