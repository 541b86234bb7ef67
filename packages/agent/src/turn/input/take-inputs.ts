/** Processes inputs, each in one batch with its blocks: a message opens a turn or steers it; feedback is announced. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  type Block,
  type CountTokens,
  type EventBody,
  type Ids,
  isBlobRef,
  isJsonObject,
  type Json,
  type JsonObject,
  type TimelineState,
  type TurnChoice,
  turnChoiceIn,
} from "@cairn/timeline";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import { titleOfPrompt } from "../../gate/title.ts";
import { carriedOrders } from "../../orders/carry-orders.ts";
import { orderNote } from "../../orders/order-note.ts";
import { noticeBlock } from "../state/notice-block.ts";
import { nextNumber, takenPaths } from "../state/taken-paths.ts";
import type { TurnContext } from "../state/turn-context.ts";
import type { TurnJournal } from "../state/turn-journal.ts";
import { type ArrivedAttachment, inspectAttachment } from "./arrived-attachment.ts";
import { attachmentBlocks } from "./attachment-blocks.ts";

/** Where the bytes of attachments are stored. */
interface Place {
  readonly store: ConversationStore;
  readonly key: ConversationKey;
}

export interface TakenTurn {
  readonly turnId: string;
  /** The message that gave the conversation its title just now; null if the conversation already had a title. */
  readonly untitled: string | null;
}

export interface NextTurn {
  readonly turnId: string;
  readonly choice: TurnChoice;
  /** The message that opens the turn; null when it is already open. */
  readonly input: EventBody<"input.received"> | null;
}

/** The turn to run: the open one, or the next message as a new one; null when there is neither. */
export function nextTurn(state: TimelineState, ids: Ids): NextTurn | null {
  if (state.openTurn !== null) return { turnId: state.openTurn, choice: state.openTurnChoice, input: null };
  const [input] = state.pendingInputs.values();
  if (input === undefined) return null;
  // A message without a turn id gets the id that an earlier attempt recorded.
  const earlier = state.attempts?.turn_id;
  const turnId = [input.turn_id, earlier].find((id) => isFreeId(id, state));
  return { turnId: typeof turnId === "string" ? turnId : ids.turn(), choice: turnChoiceIn(input), input };
}

/**
 * Opens the turn, unless it is open. `attempt` is the event for the beginning of an attempt. Returns null if the
 * message was withdrawn while its attachments were examined.
 */
export async function takeTurn(
  journal: TurnJournal,
  place: Place & { readonly agent: AgentDefinition; readonly countTokens: CountTokens },
  { turnId, choice, input: next }: NextTurn,
  attempt: () => void,
): Promise<TakenTurn | null> {
  const { timeline } = journal;
  const { state } = timeline;
  if (next === null) {
    // While a turn waits for approval, its frequent checks for the answer do not count as attempts.
    if (!isWaiting(journal)) {
      attempt();
      await journal.commit();
    }
    return { turnId, untitled: null };
  }
  if (next.attachments.length > 0) {
    attempt();
    await journal.commit();
  }
  const attachments = await inspectAll(journal, place, next);
  const carried = await ordersOfUser(state, turnId, place);
  await journal.refresh();
  if (!state.pendingInputs.has(next.key)) return null;
  const untitled = state.meta.conversation_title === null ? subjectOf(next) : null;
  timeline.openTurn(turnId, choice);
  timeline.contribute(carried);
  promoteOrders(journal, turnId);
  if (untitled !== null) timeline.giveTitle(`${turnId}.prompt`, titleOfPrompt(untitled), null);
  contributeInput(journal, turnId, { ...next, attachments }, 1);
  if (choice.output !== undefined)
    timeline.contribute([noticeBlock({ journal, turnId }, "structured_output", askForOutput(choice.output))]);
  // The batch that opens the turn ends with the event of the first attempt.
  attempt();
  await journal.commit();
  return { turnId, untitled };
}

/** The notice with the schema comes after the message, so that the content that was already sent stays the same. */
function askForOutput(schema: JsonObject): string {
  return `The user's message asks for structured output. End the turn with a value that matches this JSON Schema: call give_output, or write the value alone, as JSON without any other words. Its texts may cite sources. JSON Schema: ${JSON.stringify(schema)}`;
}

function isWaiting({ isCancelled, timeline: { state } }: TurnJournal): boolean {
  const { approvalsRequested, approvalsGiven, unsettled } = state;
  const hasConsent = [...approvalsRequested.keys()].some((call) => approvalsGiven.has(call));
  return approvalsRequested.size > 0 && unsettled.size === 0 && !hasConsent && !isCancelled;
}

/** Opens a turn without examining the attachments of its message. */
export function openUnread(
  journal: TurnJournal,
  { turnId, choice }: Pick<NextTurn, "turnId" | "choice">,
  input: EventBody<"input.received">,
): void {
  const attachments = input.attachments.map(
    ({ name, mime, size_bytes, blob }): ArrivedAttachment => ({
      name,
      mime,
      size_bytes,
      blob: isBlobRef(blob) ? blob : null,
      measures: {},
      blockMime: "application/octet-stream",
      summary: "Not read: its turn was quarantined.",
    }),
  );
  journal.timeline.openTurn(turnId, choice);
  contributeInput(journal, turnId, { ...input, attachments }, 1);
}

/** The standing orders of the user, if the agent is configured to start with them. */
async function ordersOfUser(
  state: TimelineState,
  turnId: string,
  { agent, ...place }: Place & { readonly agent: AgentDefinition; readonly countTokens: CountTokens },
): Promise<Block[]> {
  if (state.turnIds.length > 0 || agent.memory?.standingOrders !== "user") return [];
  return carriedOrders({ ...place, turnId, contextTokens: agent.model.contextTokens });
}

/** The sender of a message may name its turn. If this id is invalid or already used, the turn gets a new id. */
function isFreeId(id: unknown, state: TimelineState): id is string {
  return typeof id === "string" && /^turn_[\w-]{1,120}$/.test(id) && !state.turnIds.includes(id);
}

/** The subject of a message: its words, or the names of its attachments. */
function subjectOf({ message, attachments }: EventBody<"input.received">): string {
  return message.trim() === "" ? attachments.map(({ name }) => name).join(", ") : message;
}

/** Processes steering messages and feedback since the last decision. A follow-up waits for its own turn. */
export async function promoteInputs(context: TurnContext): Promise<void> {
  const { journal, turnId, progress } = context;
  const { timeline } = journal;
  for (const input of [...timeline.state.pendingInputs.values()]) {
    if (input.mode !== "steer") continue;
    const attachments = await inspectAll(journal, context, input);
    if (attachments.length > 0) await journal.refresh();
    if (!timeline.state.pendingInputs.has(input.key)) continue; // The message was withdrawn in the meantime.
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
    progress.announceOnce(said);
  }
  await journal.commit();
}

/** Writes people's changes to standing orders as notes. */
function promoteOrders({ timeline }: TurnJournal, turnId: string): void {
  for (const { key, kind, text, closes } of [...timeline.state.pendingOrders.values()]) {
    const prefix = `ar:${turnId}.react.note`;
    const path = `${prefix}.${nextNumber(timeline.state, turnId, prefix)}`;
    const note = orderNote({ path, kind, text, closed: closes });
    timeline.contribute([{ ...note, author: "user", turn_id: turnId }]);
    timeline.record("input.promoted", { key, turn_id: turnId });
  }
}

/** Examines all attachments before anything is written, so that an input is one batch. */
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
  input: SaidMessage & { readonly key: string; readonly attachments: readonly ArrivedAttachment[] },
  nth: number,
): void {
  const taken = takenPaths(journal.timeline.state, turnId, `fi:${turnId}.user.attachments/`);
  const { blocks, sources } = attachmentBlocks(journal.key, turnId, input.attachments, taken);
  journal.timeline.contribute([promptBlock(turnId, input, nth), ...blocks]);
  journal.timeline.mergeSources(sources);
  journal.timeline.record("input.promoted", { key: input.key, turn_id: turnId });
}

interface SaidMessage {
  readonly message: string;
  /** Settings for the turn's requests. They are validated when they are used. */
  readonly settings?: unknown;
  readonly time_zone?: unknown;
  /** The prompt of an MCP server that the message was made with. */
  readonly prompt?: unknown;
}

/** `nth`: 1 for the message that opens the turn, 2 for the next message of the turn, and so on. */
export function promptBlock(
  turn_id: string,
  { message: text, settings, time_zone, prompt: madeWith }: SaidMessage,
  nth: number,
): Block {
  const meta = {
    // Settings of a steering message are ignored, because its turn already has settings.
    ...(settings === undefined || settings === null || nth > 1 ? {} : { settings: settings as Json }),
    ...(typeof time_zone === "string" ? { time_zone } : {}),
    ...(isJsonObject(madeWith) ? { prompt: madeWith } : {}),
  };
  const path = `ar:${turn_id}.user.prompt${nth === 1 ? "" : `.${nth}`}`;
  const block: Block = { type: "user.prompt", author: "user", turn_id, path, mime: "text/markdown", text };
  return Object.keys(meta).length === 0 ? block : { ...block, meta };
}
