/** Data that the rows of a conversation share. They change only with the conversation, so they cause no re-render. */
import type { SendMode } from "@cairn/api";
import type { FileView, TurnView } from "@cairn/timeline";
import { createContext } from "react";

export interface ChatPlace {
  readonly conversationId: string;
  readonly openFile: (file: FileView) => void;
  /** Puts a turn's message into the composer, to be edited and sent again. */
  readonly edit: (turn: TurnView) => void;
  /** Stops the turn; messages that waited return to the composer. */
  readonly stop: () => void;
  /** Adds to the composer; `mode` is that of a message that returns to it. */
  readonly suggest: (text: string, files?: readonly File[], mode?: SendMode) => void;
}

export const ChatContext = createContext<ChatPlace>({
  conversationId: "",
  openFile: () => undefined,
  edit: () => undefined,
  stop: () => undefined,
  suggest: () => undefined,
});
