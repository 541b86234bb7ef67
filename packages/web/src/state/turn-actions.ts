/** Actions on turns. Retry and edit make another version of the turn: a timeline is never rewritten. */
import type { FileView, TurnView } from "@cairn/timeline";
import { request } from "../api/call.ts";
import {
  type ApprovalAnswer,
  branchConversation,
  cancelTurn,
  createConversation,
  fileAddress,
  forkConversation,
  giveApproval,
  giveFeedback,
  importConversation,
} from "../api/client.ts";
import { navigate } from "../route/location.ts";
import { tell, updateSession } from "./app-state.ts";
import { chosenModel } from "./chosen-model.ts";
import { reasonOf, refreshList } from "./conversation-list.ts";
import { openConversation } from "./open-conversation.ts";
import { type Message, sendMessage } from "./send-message.ts";

export async function stop(id: string): Promise<void> {
  updateSession(id, (session) => ({ ...session, isStopping: true }));
  await tellingProblems(
    () => cancelTurn(id),
    () => updateSession(id, (session) => ({ ...session, isStopping: false })),
  );
}

export async function approve(id: string, callId: string, answer: ApprovalAnswer): Promise<void> {
  await tellingProblems(() => giveApproval(id, callId, answer));
}

export async function judge(id: string, turnId: string, reaction: "up" | "down"): Promise<void> {
  await tellingProblems(() => giveFeedback(id, turnId, reaction));
}

export async function forkAfter(id: string, turnId: string): Promise<void> {
  await tellingProblems(async () => {
    const forked = await forkConversation(id, { turn_id: turnId, edge: "after" });
    go(forked);
    tell("done", "This is a copy of the conversation up to here. The original is unchanged.");
    await refreshList();
  });
}

/**
 * Asks the same or an edited question again: another version of the turn. Its files are kept, and `added` ones are
 * included. Returns whether there is one; it shows the message's progress.
 */
export async function askAgain(
  id: string,
  turn: TurnView,
  text: string,
  added: readonly File[] = [],
): Promise<boolean> {
  const before = turn.turn_id;
  let version: string | null = null;
  let files: readonly File[] = added;
  await tellingProblems(async () => {
    const model = chosenModel();
    if (added.length > 0) {
      files = [...(await Promise.all(turn.attachments.map((file) => refetch(id, file)))), ...added];
      version = await branchConversation(id, { before, message: null });
    } else
      version = await branchConversation(id, {
        before,
        ...(text === "" ? {} : { message: text }),
        ...(model === null ? {} : { model }),
      });
    go(version);
    await refreshList();
  });
  if (version === null) return false;
  if (added.length > 0) await sendMessage(version, { text, files, mode: "turn" });
  return true;
}

export function openVersion(id: string): void {
  go(id);
}

/** Starts a conversation with its first message; returns its id, or null after a failure. */
export async function startConversation(message: Message, agent: string | null = null): Promise<string | null> {
  let created: string | null = null;
  await tellingProblems(async () => {
    created = await createConversation(agent === null ? {} : { agent });
    go(created);
  });
  if (created !== null) await sendMessage(created, message);
  return created;
}

export async function importFile(file: File): Promise<void> {
  await tellingProblems(async () => {
    const { conversation_id, closed_turn, dropped_messages } = await importConversation(file);
    go(conversation_id);
    const dropped = dropped_messages === 0 ? "" : ` ${dropped_messages} waiting messages were dropped.`;
    if (closed_turn !== null || dropped !== "")
      tell("done", `Open calls and turns in the file were closed; none of them will run.${dropped}`);
    await refreshList();
  });
}

function go(id: string): void {
  navigate({ page: "chat", conversationId: id });
  openConversation(id);
}

async function refetch(id: string, { physical_path, name, mime, version }: FileView): Promise<File> {
  const answer = await request(fileAddress(id, physical_path ?? name, version));
  return new File([await answer.blob()], name, mime === null ? {} : { type: mime });
}

async function tellingProblems(work: () => Promise<void>, undo?: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    undo?.();
    tell("problem", reasonOf(error));
  }
}
