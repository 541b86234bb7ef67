/** Asks before a conversation is deleted: nothing brings it back. */
import { showTurns } from "../text/shown-directions.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

export interface RemoveDialogProps {
  readonly conversation: { readonly title: string | null };
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

export function RemoveDialog({ conversation, onClose, onRemove }: RemoveDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title="Delete the conversation?">
      <div className="flex flex-col gap-4 p-5 text-sm">
        <p className="[overflow-wrap:anywhere]">
          <strong className="font-semibold">{showTurns(conversation.title ?? "Untitled")}</strong> and its files are
          deleted permanently.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" onClick={onRemove}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
