/** A dialog that renames a conversation, or a version of it. */
import { useState } from "react";
import { rename } from "../state/conversation-list.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

export interface RenameDialogProps {
  readonly conversation: { readonly conversation_id: string; readonly title: string | null };
  readonly onClose: () => void;
  readonly heading?: string;
  readonly onRenamed?: () => void;
}

const MAX_TITLE_LENGTH = 200;

export function RenameDialog({
  conversation,
  onClose,
  heading = "Rename the conversation",
  onRenamed,
}: RenameDialogProps) {
  const [title, setTitle] = useState(conversation.title ?? "");
  return (
    <Dialog isOpen onClose={onClose} title={heading}>
      <form
        className="flex flex-col gap-4 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          if (title.trim() !== "") void rename(conversation.conversation_id, title.trim()).then(onRenamed);
        }}
      >
        <input
          data-first-focus
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          aria-label="Title"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
          className="h-10 rounded-lg border border-line-strong bg-paper px-3 outline-none focus:border-accent"
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={title.trim() === ""}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
