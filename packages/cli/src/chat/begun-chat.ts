/** Opens a chat with the options of the command line. */
import type { Data } from "../command/open-data.ts";
import type { Terminal } from "../command/terminal.ts";
import type { ChosenFile } from "./conversation/attachment.ts";

export interface BegunChat {
  readonly terminal: Terminal;
  readonly data: Data;
  /** The agent that `--agent` names. */
  readonly agent: string | undefined;
  /** The conversation to continue; null begins a new one. */
  readonly conversation: string | null;
  readonly files: readonly ChosenFile[];
  readonly json: boolean;
  /** Approve every call that needs approval, without asking. */
  readonly consent: boolean;
}
