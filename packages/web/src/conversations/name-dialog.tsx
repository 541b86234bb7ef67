/** Dialogs that ask for a name: one for a conversation, and one for any other thing. */
import { useState } from "react";
import { rename } from "../state/conversation-list.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface RenameDialogProps {
  readonly conversation: { readonly conversation_id: string; readonly title: string | null };
  readonly onClose: () => void;
}

export function RenameDialog({ conversation, onClose }: RenameDialogProps) {
  return (
    <NameDialog
      heading="Rename the conversation"
      label="Title"
      action="Rename"
      name={conversation.title ?? ""}
      onClose={onClose}
      onName={(title) => {
        if (title !== "") void rename(conversation.conversation_id, title);
      }}
    />
  );
}

interface NameDialogProps {
  readonly heading: string;
  /** Name of the input field. */
  readonly label: string;
  /** Text of the button. */
  readonly action: string;
  readonly name: string;
  /** Whether the name may be empty. */
  readonly canBeEmpty?: boolean;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

const MAX_LENGTH = 200;

export function NameDialog({ heading, label, action, name, canBeEmpty = false, onName, onClose }: NameDialogProps) {
  const [text, setText] = useState(name);
  return (
    <Dialog isOpen onClose={onClose} title={heading}>
      <form
        className="flex flex-col gap-4 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          onName(text.trim());
        }}
      >
        <input
          data-first-focus
          dir="auto"
          value={text}
          maxLength={MAX_LENGTH}
          aria-label={label}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
          className="h-10 rounded-lg border border-line-strong bg-paper px-3 outline-none focus:border-accent"
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={!canBeEmpty && text.trim() === ""}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
