/** Every command by its name, in the order they are listed. */
import { chat } from "./chat/chat.ts";
import type { Command } from "./command.ts";
import { conformance } from "./conformance.ts";

export const COMMANDS: Readonly<Record<string, Command>> = {
  chat,
  conformance,
};
