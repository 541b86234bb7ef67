/**
 * The composer. Enter sends, but on touch devices Enter begins a new line, because their keyboards have no other key
 * for this. While the agent works, Enter steers it, and Alt+Enter makes the message wait for its own turn. Buttons do
 * the same. A message that returns from the queue keeps its mode. Files are added with a button, by drop or by paste.
 * The draft is stored in the browser until it is sent, even while an earlier message is edited.
 */
import type { SendMode, SentPrompt } from "@cairn/api";
import { ArrowUp, ListEnd, Paperclip, Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { FileChip } from "../files/file-chip.tsx";
import { glimpseOfLocal } from "../files/glimpse.tsx";
import { keepDraft, readDraft } from "../state/drafts.ts";
import type { Message } from "../state/send-message.ts";
import { IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { useIsTouched } from "../ui/use-media.ts";
import { type AttachmentLimits, admitFiles } from "./admit-files.ts";
import { DropArea } from "./drop-area.tsx";
import { ModelChoice } from "./model-choice.tsx";
import { listboxProps, PromptMenu, usePromptMenu } from "./prompt-menu.tsx";
import { ReasoningChoice } from "./reasoning-choice.tsx";

export interface ComposerHandle {
  focus(): void;
  /** `mode`: the mode in which the message was sent before, if it returns to the composer. */
  add(text: string, files?: readonly File[], mode?: SendMode): void;
}

/** The edited message of an earlier turn. Sending it answers that turn again. */
export interface EditedMessage {
  readonly text: string;
  readonly note: ReactNode;
  /** Called when the user presses Escape. */
  readonly onCancel: () => void;
}

export interface ComposerProps {
  readonly conversationId: string | null;
  readonly isBusy: boolean;
  readonly isStopping?: boolean;
  readonly limits: AttachmentLimits;
  readonly onSend: (message: Message) => void;
  readonly onStop?: () => void;
  /** The message being edited. Each edit is a new object. */
  readonly editing?: EditedMessage | null;
  readonly ref?: Ref<ComposerHandle>;
}

const MAX_ROWS = 10;

export function Composer({
  conversationId,
  isBusy,
  isStopping = false,
  limits,
  onSend,
  onStop,
  editing = null,
  ref,
}: ComposerProps) {
  const [text, setText] = useState(() => readDraft(conversationId));
  const [files, setFiles] = useState<readonly File[]>([]);
  const [refused, setRefused] = useState<readonly string[]>([]);
  /** The prompt from which the text was made. */
  const [prompt, setPrompt] = useState<SentPrompt | null>(null);
  /** Whether the text was a message that waited for its own turn and has returned to the composer. */
  const [isFollowUp, setFollowUp] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const isEditing = editing !== null;
  const isTouched = useIsTouched();
  const change = (next: string) => {
    setText(next);
    if (next === "") {
      setPrompt(null);
      setFollowUp(false);
    }
    // The draft from before the edit, which comes back after the edit.
    if (!isEditing) keepDraft(conversationId, next);
  };
  const edited = editing?.text ?? null;
  const wasEditing = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message with the same text is put in anew.
  useEffect(() => {
    if (edited !== null) setText(edited);
    else if (wasEditing.current) setText(readDraft(conversationId));
    wasEditing.current = edited !== null;
    if (edited !== null) area.current?.focus();
  }, [editing, edited, conversationId]);
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    add: (added, addedFiles = [], mode) => {
      if (mode !== undefined) setFollowUp(mode !== "steer");
      if (added !== "") change(text.trim() === "" ? added : `${text.trimEnd()}\n\n${added}`);
      setFiles((present) => [...present, ...addedFiles]);
      area.current?.focus();
    },
  }));
  const add = (added: readonly File[], folders: readonly string[] = []) => {
    const { admitted, problems } = admitFiles(files, added, limits);
    setFiles(admitted);
    setRefused([...problems, ...folders.map((name) => `${name} is a folder. Attach its files instead.`)]);
  };
  const menu = usePromptMenu(isEditing ? "" : text, (filled) => {
    change(filled.text);
    add(filled.files);
    setPrompt(filled.prompt);
    area.current?.focus();
  });
  const isTooLong = text.length > limits.message_chars;
  const canSend = (text.trim() !== "" || files.length > 0) && !isTooLong;
  const send = (mode: Message["mode"]) => {
    if (!canSend) return;
    onSend({ text: text.trim(), files, mode, prompt });
    setPrompt(null);
    setFollowUp(false);
    // When the edited message is sent, the draft comes back.
    if (!isEditing) change("");
    setFiles([]);
    setRefused([]);
  };
  const usualMode = isBusy ? (isFollowUp ? "follow-up" : "steer") : "turn";
  const onKeyDown = (event: KeyboardEvent) => {
    if (menu.onKeyDown(event)) return;
    if (event.key === "Escape" && editing !== null) {
      event.preventDefault();
      return editing.onCancel();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    if (isTouched && !event.altKey && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send(event.altKey && isBusy ? "follow-up" : usualMode);
  };
  return (
    <DropArea onFiles={add}>
      <form
        className="rounded-2xl border border-line-strong bg-surface shadow-[0_1px_2px_rgb(0_0_0/4%)] focus-within:border-accent"
        onSubmit={(event) => {
          event.preventDefault();
          send(usualMode);
        }}
      >
        {editing?.note}
        <PromptMenu menu={menu} />
        {files.length === 0 ? null : (
          <ul className="flex flex-wrap gap-1.5 px-3 pt-3" aria-label="Files to send">
            {files.map((file, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name; their place tells them apart.
              <li key={`${index} ${file.name}`}>
                <FileChip
                  name={file.name}
                  mime={file.type}
                  size={file.size}
                  glimpse={glimpseOfLocal(file)}
                  onRemove={() => setFiles(files.filter((each) => each !== file))}
                />
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={area}
          value={text}
          // The number of rows for browsers that do not size a field by its content.
          rows={Math.min(MAX_ROWS, text.split("\n").length)}
          aria-label="Message"
          {...listboxProps(menu)}
          dir="auto"
          placeholder={
            isBusy ? "Send a message to steer the agent…" : `Ask, or ${isTouched ? "attach" : "drop"} a file…`
          }
          className="block max-h-[40dvh] min-h-12 w-full resize-none [field-sizing:content] bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-faint"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files];
            if (pasted.length === 0) return;
            event.preventDefault();
            add(pasted);
          }}
        />
        {refused.length === 0 && !isTooLong ? null : (
          <div role="alert" className="px-4 pb-1 text-sm text-danger">
            {refused.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
            {isTooLong ? <p>The message is too long by {text.length - limits.message_chars} characters.</p> : null}
          </div>
        )}
        <div className="flex items-center gap-1 px-2 pb-2">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            tabIndex={-1}
            aria-label="Files to attach"
            onChange={(event) => {
              add([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
          <IconButton label="Attach files" onClick={() => picker.current?.click()}>
            <Paperclip />
          </IconButton>
          {isBusy ? null : <ModelChoice />}
          {isBusy ? null : <ReasoningChoice />}
          <p className="ml-1 hidden min-w-0 flex-1 items-center gap-1.5 truncate text-xs text-faint sm:flex">
            {isBusy ? <BusyHint isFollowUp={isFollowUp} /> : null}
          </p>
          <span className="flex-1 sm:hidden" />
          {isBusy && onStop !== undefined ? (
            <IconButton
              label={isStopping ? "Stopping" : "Stop"}
              shortcut="Escape"
              look="plain"
              disabled={isStopping}
              onClick={onStop}
            >
              <Square className="fill-current" />
            </IconButton>
          ) : null}
          {isBusy && canSend ? <OtherMode isFollowUp={isFollowUp} onSend={send} /> : null}
          <IconButton type="submit" label={SEND_LABELS[usualMode]} look="strong" disabled={!canSend}>
            {usualMode === "follow-up" ? <ListEnd /> : <ArrowUp />}
          </IconButton>
        </div>
      </form>
    </DropArea>
  );
}

const SEND_LABELS = { turn: "Send", steer: "Steer", "follow-up": "Send after this turn" } as const;

function BusyHint({ isFollowUp }: { readonly isFollowUp: boolean }) {
  if (isFollowUp)
    return (
      <>
        <Keys keys="Enter" /> sends it after this turn
      </>
    );
  return (
    <>
      <Keys keys="Enter" /> steers it now · <Keys keys="Alt+Enter" /> sends it after this turn
    </>
  );
}

interface OtherModeProps {
  readonly isFollowUp: boolean;
  readonly onSend: (mode: SendMode) => void;
}

/** The button for the mode that Enter does not use. */
function OtherMode({ isFollowUp, onSend }: OtherModeProps) {
  if (isFollowUp)
    return (
      <IconButton label={SEND_LABELS.steer} look="plain" onClick={() => onSend("steer")}>
        <ArrowUp />
      </IconButton>
    );
  return (
    <IconButton label={SEND_LABELS["follow-up"]} shortcut="Alt+Enter" look="plain" onClick={() => onSend("follow-up")}>
      <ListEnd />
    </IconButton>
  );
}
