/** Actions on turns. Retry and edit make another version of the turn, because a timeline never changes. */
import type { SentFile } from "@cairn/api";
import type { TurnView } from "@cairn/timeline";
import {
  type ApprovalAnswer,
  branchConversation,
  createConversation,
  forkConversation,
  giveApproval,
  giveFeedback,
  importConversation,
  renameConversation,
  stopAll,
  withdrawMessage,
} from "../api/client.ts";
import { navigate } from "../route/location.ts";
import { tell } from "./app-state.ts";
import { chosenModel } from "./chosen-model.ts";
import { chosenReasoning } from "./chosen-reasoning.ts";
import { reasonOf, refreshList } from "./conversation-list.ts";
import { dataUrl } from "./data-url.ts";
import { openConversation } from "./open-conversation.ts";
import { sessionOf, updateSession } from "./open-session.ts";
import { type Message, sendMessage } from "./send-message.ts";
import { waitingFiles } from "./waiting-files.ts";

export interface Withdrawn {
  readonly texts: readonly string[];
  readonly files: readonly File[];
}

/**
 * Stops the turn and withdraws the messages that wait. Returns their texts and files, so that they can be sent again.
 * If this page does not have some of the files, the user is asked to attach them again.
 */
export async function stop(id: string): Promise<Withdrawn> {
  const waiting = sessionOf(id)?.view.pending ?? [];
  updateSession(id, (session) => ({ ...session, isStopping: true }));
  let isStopped = false;
  await tellingProblems(
    async () => {
      await stopAll(id);
      isStopped = true;
    },
    () => updateSession(id, (session) => ({ ...session, isStopping: false })),
  );
  if (!isStopped) return { texts: [], files: [] };
  const lost = waiting.filter(({ key }) => waitingFiles(key) === undefined);
  const names = lost.flatMap(({ attachments }) => attachments.map(({ name }) => name));
  if (names.length > 0) tell("problem", `Not sent: ${names.join(", ")}. Attach these files again to send them.`);
  return {
    texts: waiting.map(({ message }) => message).filter((message) => message !== ""),
    files: waiting.flatMap(({ key }) => waitingFiles(key) ?? []),
  };
}

/** Withdraws a waiting message. Returns false if a turn took it in the meantime. */
export async function withdraw(id: string, key: string): Promise<boolean> {
  let isWithdrawn = false;
  await tellingProblems(async () => {
    await withdrawMessage(id, key);
    isWithdrawn = true;
  });
  return isWithdrawn;
}

export async function approve(id: string, callId: string, answer: ApprovalAnswer): Promise<void> {
  await tellingProblems(() => giveApproval(id, callId, answer));
}

/** Stores the user's judgement of an answer, and then shows `said`. */
export async function judge(
  id: string,
  turnId: string,
  reaction: "up" | "down",
  { why = "", said = "" }: { readonly why?: string; readonly said?: string } = {},
): Promise<void> {
  await tellingProblems(async () => {
    await giveFeedback(id, turnId, reaction, why);
    if (said !== "") tell("done", said);
  });
}

export async function forkAfter(id: string, turnId: string): Promise<void> {
  const title = (sessionOf(id)?.view.title ?? "").replace(/^Fork of /, "");
  await tellingProblems(async () => {
    const forked = await forkConversation(id, { turn_id: turnId, edge: "after" });
    // The fork gets another title, because the list would otherwise have two equal entries.
    if (title !== "") await renameConversation(forked, `Fork of ${title}`.slice(0, 500).toWellFormed());
    go(forked);
    await refreshList();
  });
}

/**
 * Asks the same or an edited question again in another version of the turn, with the question's files and the files
 * `added`. If the message is refused, no version is made. Returns whether a version was made.
 */
export async function askAgain(
  id: string,
  turn: TurnView,
  text: string,
  added: readonly File[] = [],
): Promise<boolean> {
  let isMade = false;
  await tellingProblems(async () => {
    const [model, reasoning] = [chosenModel(), chosenReasoning()];
    const attachments = await Promise.all(added.map(encode));
    go(
      await branchConversation(id, {
        before: turn.turn_id,
        attachments,
        ...(text === "" && added.length === 0 ? {} : { message: text }),
        ...(model === null ? {} : { model }),
        ...(reasoning === null ? {} : { reasoning }),
      }),
    );
    isMade = true;
    await refreshList();
  });
  return isMade;
}

export function openVersion(id: string): void {
  go(id);
}

/** Starts a conversation with its first message. Returns the id of the conversation, or null after a failure. */
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

async function encode(file: File): Promise<SentFile> {
  const address = await dataUrl(file).catch(() => {
    throw new Error(`${file.name} can no longer be read. Attach it again.`);
  });
  const data = address.replace(/^[^,]*,/, "");
  return { name: file.name, data, ...(file.type === "" ? {} : { mime: file.type }) };
}

async function tellingProblems(work: () => Promise<void>, undo?: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    undo?.();
    tell("problem", reasonOf(error));
  }
}
