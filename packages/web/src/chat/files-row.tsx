/** The files of a turn: the first ones, and all on request. */
import type { TurnView } from "@cairn/timeline";
import { useContext } from "react";
import { FileCard } from "../files/file-card.tsx";
import { Button } from "../ui/button.tsx";
import { ChatContext } from "./chat-context.ts";
import { useFold } from "./folds.ts";

/** Maximum number of file cards. A button shows the other files, but a single other file is always shown. */
const MAX_CARDS = 12;

export function FilesRow({ turn }: { readonly turn: TurnView }) {
  const { conversationId, openFile } = useContext(ChatContext);
  const [isWhole, setWhole] = useFold(`${turn.turn_id} files`, turn.files.length <= MAX_CARDS + 1);
  const shown = isWhole ? turn.files : turn.files.slice(0, MAX_CARDS);
  return (
    <>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-2.5" aria-label="Files">
        {shown.map((file) => (
          <li key={file.path} className="min-w-0">
            <FileCard conversationId={conversationId} file={file} onOpen={() => openFile(file)} />
          </li>
        ))}
      </ul>
      {isWhole ? null : (
        <Button size="small" look="quiet" className="mt-2" onClick={() => setWhole(true)}>
          All {turn.files.length} files
        </Button>
      )}
    </>
  );
}
