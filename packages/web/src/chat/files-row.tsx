/** The files a turn made. */
import type { TurnView } from "@cairn/timeline";
import { useContext } from "react";
import { FileCard } from "../files/file-card.tsx";
import { ChatContext } from "./chat-context.ts";

export function FilesRow({ turn }: { readonly turn: TurnView }) {
  const { conversationId, openFile } = useContext(ChatContext);
  return (
    <ul className="mt-4 flex flex-wrap gap-2.5" aria-label="Files">
      {turn.files.map((file) => (
        <li key={file.path} className="max-w-full">
          <FileCard conversationId={conversationId} file={file} onOpen={() => openFile(file)} />
        </li>
      ))}
    </ul>
  );
}
