/** Reads a conversation as a list of messages. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type FileView, knownSources, replaceCitations, type SourceLookup, type TurnView } from "@cairn/timeline";
import { readView } from "../content/read-view.ts";
import { roundPart } from "./round-part.ts";
import type { ToolPart } from "./run-part.ts";

export interface Message {
  readonly role: "user" | "assistant";
  /** The text of the message; empty for a turn without an answer. */
  readonly text: string;
  /** The id of the turn. */
  readonly turn: string;
  /** ISO 8601, UTC; null if it is not recorded. */
  readonly at: string | null;
  /** The user's attachments, or the files that the agent wrote. */
  readonly files: readonly FileView[];
  /** The calls of the turn. */
  readonly tools: readonly ToolPart[];
}

export interface MessagesOptions {
  /** Maximum number of turns; default 50. */
  readonly limit?: number;
}

export async function readMessages(
  store: ConversationStore,
  key: ConversationKey,
  { limit = 50 }: MessagesOptions,
): Promise<readonly Message[]> {
  const { turns, sources } = await readView(store, key, { limit });
  const bySid = new Map(sources.map((row) => [row.sid, row]));
  return turns.flatMap((turn) => messagesOf(turn, (sid) => bySid.get(sid)));
}

function messagesOf(turn: TurnView, source: SourceLookup): readonly Message[] {
  const { turn_id, prompt, attachments, inputs, completion, rounds, files, notices, closed_at } = turn;
  const said = (text: string, at: string | null, sent: readonly FileView[]): Message => ({
    role: "user",
    text,
    turn: turn_id,
    at,
    files: sent,
    tools: [],
  });
  // An imported conversation may begin with a message of the assistant.
  const isAsked = prompt.text !== "" || attachments.length > 0;
  const asked = [
    ...(isAsked ? [said(prompt.text, prompt.ts, attachments)] : []),
    ...inputs.map((each) => said(each.text, each.ts, each.attachments)),
  ];
  // A turn that is running, waits or has failed may have calls and no answer.
  if (completion === null && rounds.length === 0) return asked;
  const { text: stored, sources_known } = completion ?? { text: "", sources_known: 0 };
  const text = replaceCitations(stored, knownSources(source, sources_known), "markdown");
  const tools = rounds.map((round) => roundPart(round, notices));
  return [...asked, { role: "assistant", text, turn: turn_id, at: closed_at, files, tools }];
}
