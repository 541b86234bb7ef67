/**
 * Inputs become part of the conversation here, each in one batch with the blocks it causes: a message opens a turn or
 * steers the one that runs, feedback is put on the timeline and announced once.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { Block, CountTokens, EventBody, Ids, TimelineState } from "@cairn/timeline";
import type { AgentDefinition } from "../define-agent.ts";
import { titleOfPrompt } from "../gate/title.ts";
import { carriedOrders } from "../orders/carry-orders.ts";
import { orderNote } from "../orders/order-note.ts";
import { type ArrivedAttachment, inspectAttachment } from "./arrived-attachment.ts";
import { nextNumber, takenPaths } from "./taken-paths.ts";
import type { TurnContext } from "./turn-context.ts";
import type { TurnJournal } from "./turn-journal.ts";
import { userBlocks } from "./user-blocks.ts";

/** Where the bytes of attachments are. */
interface Place {
  readonly store: ConversationStore;
  readonly key: ConversationKey;
}

export interface TakenTurn {
  readonly turnId: string;
  /** The message that gave the conversation its title just now; null when it had one. */
  readonly untitled: string | null;
}

/** The turn to run: the open one, or the next message as a new one; null when there is neither. */
export async function takeTurn(
  journal: TurnJournal,
  place: Place & { readonly agent: AgentDefinition; readonly ids: Ids; readonly countTokens: CountTokens },
): Promise<TakenTurn | null> {
  const { timeline } = journal;
  const { state } = timeline;
  if (state.openTurn !== null) return { turnId: state.openTurn, untitled: null };
  const next = [...state.pendingInputs.values()][0];
  if (next === undefined) return null;
  const turnId = isFreeId(next.turn_id, state) ? next.turn_id : place.ids.turn();
  const untitled = state.meta.conversation_title === null ? subjectOf(next) : null;
  const attachments = await inspectAll(journal, place, next);
  const carried = await ordersOfUser(state, turnId, place);
  timeline.openTurn(turnId);
  timeline.contribute(carried);
  promoteOrders(journal, turnId);
  if (untitled !== null) timeline.setMeta({ conversation_title: titleOfPrompt(untitled) });
  contributeInput(journal, turnId, { ...next, attachments }, 1);
  await journal.commit();
  return { turnId, untitled };
}

/** What a conversation begins with, if the agent's memory is the user's. */
async function ordersOfUser(
  state: TimelineState,
  turnId: string,
  { agent, ...place }: Place & { readonly agent: AgentDefinition; readonly countTokens: CountTokens },
): Promise<Block[]> {
  if (state.turnIds.length > 0 || agent.memory?.standingOrders !== "user") return [];
  return carriedOrders({ ...place, turnId, contextTokens: agent.model.contextTokens });
}

/** Whoever sends a message may name the turn it opens; an id that is none, or is taken, is not worth losing it. */
function isFreeId(id: unknown, state: TimelineState): id is string {
  return typeof id === "string" && /^turn_[\w-]{1,120}$/.test(id) && !state.turnIds.includes(id);
}

/** What a message is about: its words, or what came with it without any. */
function subjectOf({ message, attachments }: EventBody<"input.received">): string {
  return message.trim() === "" ? attachments.map(({ name }) => name).join(", ") : message;
}

/** Steering messages and feedback that arrived since the last decision. A follow-up waits for a turn of its own. */
export async function promoteInputs(context: TurnContext): Promise<void> {
  const { journal, turnId, progress } = context;
  const { timeline } = journal;
  for (const input of [...timeline.state.pendingInputs.values()]) {
    if (input.mode !== "steer") continue;
    const attachments = await inspectAll(journal, context, input);
    const nth = nextNumber(timeline.state, turnId, `ar:${turnId}.user.prompt`);
    contributeInput(journal, turnId, { ...input, attachments }, nth);
  }
  promoteOrders(journal, turnId);
  for (const feedback of [...timeline.state.pendingFeedback.values()]) {
    const text = typeof feedback.text === "string" ? feedback.text : "";
    const said = `The user's reaction to ${feedback.turn_id}: ${feedback.reaction}${text === "" ? "" : ` (${text})`}`;
    const meta = { about_turn: feedback.turn_id, reaction: feedback.reaction };
    timeline.contribute([{ type: "turn.feedback", author: "user", turn_id: turnId, text: said, meta }]);
    timeline.record("input.promoted", { key: feedback.key, turn_id: turnId });
    progress.notices.push(said);
  }
  await journal.commit();
}

/** What people have changed about their standing orders becomes notes. */
function promoteOrders({ timeline }: TurnJournal, turnId: string): void {
  for (const { key, kind, text, closes } of [...timeline.state.pendingOrders.values()]) {
    const prefix = `ar:${turnId}.react.note`;
    const path = `${prefix}.${nextNumber(timeline.state, turnId, prefix)}`;
    const note = orderNote({ path, kind, text, closed: closes });
    timeline.contribute([{ ...note, author: "user", turn_id: turnId }]);
    timeline.record("input.promoted", { key, turn_id: turnId });
  }
}

/** Before anything is put on the timeline: what an input causes is one batch. */
async function inspectAll(
  { signal }: TurnJournal,
  { store, key }: Place,
  input: EventBody<"input.received">,
): Promise<ArrivedAttachment[]> {
  const arrived = [];
  for (const attachment of input.attachments) arrived.push(await inspectAttachment(store, key, attachment, signal));
  return arrived;
}

function contributeInput(
  journal: TurnJournal,
  turnId: string,
  input: {
    readonly key: string;
    readonly message: string;
    readonly attachments: readonly ArrivedAttachment[];
    readonly settings?: unknown;
    readonly time_zone?: unknown;
  },
  nth: number,
): void {
  const taken = takenPaths(journal.timeline.state, turnId, `fi:${turnId}.user.attachments/`);
  const { blocks, sources } = userBlocks(turnId, input, nth, taken);
  journal.timeline.contribute(blocks);
  journal.timeline.mergeSources(sources);
  journal.timeline.record("input.promoted", { key: input.key, turn_id: turnId });
}
