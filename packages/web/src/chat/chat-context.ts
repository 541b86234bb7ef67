/** Data that all rows of a conversation use. It changes only with the conversation, so it causes no extra renders. */
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
  /** Adds text or files to the composer. `mode`: the mode of a message that returns to the composer. */
  readonly suggest: (text: string, files?: readonly File[], mode?: SendMode) => void;
}

export const ChatContext = createContext<ChatPlace>({
  conversationId: "",
  openFile: () => undefined,
  edit: () => undefined,
  stop: () => undefined,
  suggest: () => undefined,
});
