/**
 * Makes another version of a turn: a branch from before the turn, in which the turn's message is sent again, as it was
 * or changed. In the same step, messages that waited there are discarded in the branch, so that no worker takes them.
 */
import { randomUUID } from "node:crypto";
import { thisMachine } from "@cairn/agent";
import { MAX_ATTACHMENTS } from "@cairn/api/limits";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type EventBody, makeEvent, type SentReasoning, type TimelineEvent } from "@cairn/timeline";
import { findTurn } from "../turns/find-turn.ts";
import { titleGiven } from "../turns/give-title.ts";
import { keepFile, type NewFile } from "./take-message.ts";

interface BranchParts {
  readonly store: ConversationStore;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
}

export interface NewVersion {
  /** The id of the turn. */
  readonly before: string;
  /** The message of the branch, in place of the turn's own. It keeps the attachments of the turn's message. */
  readonly message?: string | undefined;
  readonly model?: string | undefined;
  readonly reasoning?: SentReasoning | undefined;
  /** Attachments in addition to those of the turn's message. */
  readonly files?: readonly NewFile[];
}

/**
 * Creates the branch `target` with the message. Returns the turn that will answer it. Throws `not_found` for an unknown
 * turn, and `not_settled` if the conversation cannot be divided before the turn.
 */
export async function branchTurn(
  parts: BranchParts,
  key: ConversationKey,
  target: string,
  { before, message, model, reasoning, files = [] }: NewVersion,
): Promise<{ readonly turn_id: string; readonly input_key: string; readonly seq: number }> {
  const place = await findTurn(parts.store, key, before);
  const asked = place.message === null ? null : await messageAt(parts.store, key, place.message);
  const said = message ?? asked?.message;
  if (said === undefined)
    throw new CairnError("bad_request", "The turn's message is not recorded. Send one with `message`.");
  const attachments = [...(asked?.attachments ?? [])];
  if (said.trim() === "" && attachments.length + files.length === 0)
    throw new CairnError("bad_request", "The message is empty. Send text or an attachment.");
  // Without new files there is no limit: the message keeps its attachments, even if another program sent more.
  if (files.length > 0 && attachments.length + files.length > MAX_ATTACHMENTS)
    throw new CairnError(
      "too_large",
      `The message has ${attachments.length + files.length} attachments, with those of the turn's message; at most ${MAX_ATTACHMENTS} are allowed. Send fewer.`,
      { limit: MAX_ATTACHMENTS },
    );
  for (const file of files) attachments.push(await keepFile(parts, key, file));
  const turn_id = thisMachine().ids.turn();
  const input_key = randomUUID();
  const input = makeEvent("input.received", {
    ...asked,
    attachments,
    key: input_key,
    mode: "turn",
    message: said,
    turn_id,
    ts: new Date(parts.now()).toISOString(),
    ...(model === undefined ? {} : { model }),
    ...(reasoning === undefined ? {} : { reasoning }),
  });
  const { last_seq } = await createBranch(parts, key, target, place.opened - 1, [input]);
  return { turn_id, input_key, seq: last_seq };
}

/** Like `branchTurn`, but sends no message: the caller sends one to the branch later. Returns the branch. */
export async function branchBefore(parts: BranchParts, key: ConversationKey, target: string, turnId: string) {
  const { opened } = await findTurn(parts.store, key, turnId);
  return createBranch(parts, key, target, opened - 1, []);
}

async function createBranch(
  { store, now }: BranchParts,
  key: ConversationKey,
  target: string,
  cut: number,
  events: readonly TimelineEvent[],
) {
  const { title } = await store.getConversation(key);
  const { state } = await store.stateAt(key, cut);
  const aside = [...state.pendingInputs.keys()].map((waiting) =>
    makeEvent("input.promoted", { key: waiting, turn_id: "none" }),
  );
  // All versions have the same title, even if it was found or given after the branch began.
  const named = title !== null && title !== state.meta.conversation_title;
  const first = [...aside, ...(named ? [titleGiven(randomUUID(), title, now())] : [])];
  return store.branch(key, cut, target, { events: [...first, ...events] });
}

/** The name of the agent that answers another version of the turn; null for the default. Throws `not_found`. */
export async function agentOfTurn(store: ConversationStore, key: ConversationKey, turn: string) {
  const { message } = await findTurn(store, key, turn);
  const asked = message === null ? null : await messageAt(store, key, message);
  const { agent } = (await store.getConversation(key)).attributes;
  return asked?.agent ?? (typeof agent === "string" ? agent : null);
}

async function messageAt(
  store: ConversationStore,
  key: ConversationKey,
  seq: number,
): Promise<EventBody<"input.received"> | null> {
  const [stored] = await store.readEvents(key, { after: seq - 1, limit: 1 });
  const event = stored?.event;
  return event === undefined || "unknown" in event || event.kind !== "input.received" ? null : event.body;
}
