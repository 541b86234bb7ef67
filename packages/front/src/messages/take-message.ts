/** Takes a message: stores it in the journal, where it later opens a turn or becomes part of one. */
import { randomUUID } from "node:crypto";
import { type AgentDefinition, mimeOfName, readOutputSchema, sniffMime, thisMachine } from "@cairn/agent";
import type { AnswerOf, SentMessage, sendMessage } from "@cairn/api";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  CairnError,
  type EventBody,
  isJsonObject,
  type JsonObject,
  makeEvent,
  reasoningSchema,
  type SentReasoning,
  turnChoiceIn,
} from "@cairn/timeline";
import { missedEvents } from "../live/missed-events.ts";
import type { TurnQueue } from "../queue/turn-queue.ts";
import { limitsOf } from "../settings/message-limits.ts";
import type { Settings } from "../settings/settings.ts";
import type { WriteRoom } from "../shares/write-room.ts";
import type { TurnMeters } from "../telemetry/turn-meters.ts";
import type { Agents } from "../turns/agents.ts";

type Attachment = EventBody<"input.received">["attachments"][number];

/** Maximum number of messages of one conversation that wait for a turn, or for the next decision of a running turn. */
const MAX_PENDING = 50;

export interface MessageParts {
  readonly store: ConversationStore;
  readonly queue: Pick<TurnQueue, "admit" | "offer" | "status">;
  readonly agents: Agents;
  readonly room: WriteRoom;
  readonly settings: Settings;
  readonly telemetry: Pick<TurnMeters, "turnRefused">;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
  /** The HTTP request of the message, as a `traceparent`. It is stored, so that any process can continue the trace. */
  readonly traceparent?: () => string | undefined;
}

export interface NewFile {
  readonly name: string;
  readonly mime: string | undefined;
  readonly bytes: Uint8Array;
}

export interface NewMessage extends SentMessage {
  /** The application's own data for its tools. Clients of the HTTP API cannot send it. */
  readonly context?: JsonObject | undefined;
  readonly files: readonly NewFile[];
}

/** Stores a message and enqueues the conversation. Sending it again with the same key changes nothing. */
export async function takeMessage(
  parts: MessageParts,
  key: ConversationKey,
  sent: NewMessage,
  idempotencyKey: string | null,
): Promise<AnswerOf<typeof sendMessage>> {
  const { store, queue, agents, room, now } = parts;
  await admitMessage(parts, key, sent);
  room.note(key, sent.message.length + sizeOf(sent.files));
  // A message for an unknown agent would wait forever. An imported conversation may name an agent of another server.
  const { attributes } = await store.getConversation(key);
  const agent = agents.find(sent.agent ?? (typeof attributes.agent === "string" ? attributes.agent : null));
  const context = checkContext(agent, sent.context);
  await checkPending(parts, key);
  const attachments: Attachment[] = [];
  for (const file of sent.files) attachments.push(await keepFile(parts, key, file));
  const turn_id = sent.mode === "steer" ? null : thisMachine().ids.turn();
  const input_key = idempotencyKey ?? randomUUID();
  const traceparent = parts.traceparent?.();
  const body = {
    key: input_key,
    mode: sent.mode,
    message: sent.message,
    attachments,
    ts: new Date(now()).toISOString(),
    ...(turn_id === null ? {} : { turn_id }),
    ...turnChoiceIn({
      ...sent,
      context,
      reasoning: reasoningOf(sent, attributes),
      output: sent.output as JsonObject | undefined,
    }),
    ...(sent.settings === undefined ? {} : { settings: sent.settings }),
    ...(sent.time_zone === undefined ? {} : { time_zone: sent.time_zone }),
    ...(sent.prompt === undefined ? {} : { prompt: sent.prompt }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  const { seqs } = await store.append(key, [makeEvent("input.received", body)]);
  const seq = seqs[0] ?? 0;
  await queue.offer(key);
  return { turn_id: idempotencyKey === null ? turn_id : await turnOf(parts, key, seq, body), input_key, seq };
}

/** Provider options may raise cost or change what the model can do, so the operator configures which are allowed. */
function checkRequestSettings(
  { provider_options = {} }: NonNullable<NewMessage["settings"]>,
  how: NewMessage["mode"],
  allowed: readonly string[],
): void {
  if (how === "steer")
    throw new CairnError(
      "bad_request",
      "This message steers a running turn, so it cannot change the turn's settings. Send it without `settings`.",
    );
  const asked = Object.entries(provider_options).flatMap(([name, given]) =>
    Object.keys(given).map((option) => `${name}.${option}`),
  );
  const refused = asked.find((option) => !allowed.includes(option));
  if (refused === undefined) return;
  throw new CairnError(
    "bad_request",
    `A message may not set the provider option ${JSON.stringify(refused)}. The setting CAIRN_PROVIDER_OPTIONS lists the allowed options.`,
    { allowed },
  );
}

/** Throws `bad_output_schema` with the reason. A message that steers a turn cannot change the form of its answer. */
function checkOutput(output: NonNullable<NewMessage["output"]>, how: NewMessage["mode"]): void {
  if (how === "steer")
    throw new CairnError(
      "bad_request",
      "This message steers a running turn, so it cannot change the form of its answer. Send it without `output`.",
    );
  readOutputSchema(output);
}

/** The reasoning that the message asks for, or else that of its conversation. A steering message has none. */
function reasoningOf({ reasoning, mode }: NewMessage, attributes: JsonObject): SentReasoning | undefined {
  return mode === "steer" ? undefined : (reasoning ?? reasoningSchema.safeParse(attributes.reasoning).data);
}

function checkReasoning(how: NewMessage["mode"]): void {
  if (how === "steer")
    throw new CairnError(
      "bad_request",
      "This message steers a running turn, so it cannot change how much the model reasons. Send it without `reasoning`.",
    );
}

/** The context as the agent's schema returns it. Throws `bad_context`, which names the field. */
export function checkContext({ name, context: schema }: AgentDefinition, given: JsonObject | undefined) {
  if (schema === undefined) return given;
  const checked = schema.safeParse(given ?? {});
  if (checked.success && isJsonObject(checked.data)) return checked.data;
  const issue = checked.error?.issues[0];
  const field = ["context", ...(issue?.path ?? [])].map(String).join(".");
  const why = issue?.message ?? "The schema must return an object.";
  throw new CairnError("bad_context", `\`${field}\` is not what the agent ${name} expects: ${why}`, { field });
}

/** Checks that a message is valid and that there is space for it. Nothing is stored yet. */
export async function admitMessage(
  { queue, agents, room, settings, telemetry }: MessageParts,
  key: ConversationKey,
  { message: said, files, model: asked, settings: wanted, mode: how, output, reasoning }: NewMessage,
): Promise<void> {
  if (said.trim() === "" && files.length === 0)
    throw new CairnError("bad_request", "The message is empty. Send text or an attachment.");
  const size = sizeOf(files);
  const { upload_bytes } = limitsOf(settings);
  if (size > upload_bytes)
    throw new CairnError("too_large", `The attachments have ${size} bytes; at most ${upload_bytes} are allowed.`, {
      limit: upload_bytes,
    });
  if (asked !== undefined) agents.checkModel(asked);
  if (wanted !== undefined) checkRequestSettings(wanted, how, settings.server.providerOptions);
  if (output !== undefined) checkOutput(output, how);
  if (reasoning !== undefined) checkReasoning(how);
  await room.check(key, size + said.length);
  try {
    await queue.admit(key);
  } catch (error) {
    telemetry.turnRefused();
    throw error;
  }
}

function sizeOf(files: readonly NewFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

/** Waiting messages have a limit of their own, because a conversation has only one place in the queue. */
async function checkPending({ store, queue, telemetry }: MessageParts, key: ConversationKey): Promise<void> {
  if ((await queue.status(key)).status === "idle") return;
  const { pendingInputs } = (await store.loadOutline(key)).state;
  if (pendingInputs.size < MAX_PENDING) return;
  telemetry.turnRefused();
  throw new CairnError("queue_full", "Too many messages are waiting in this conversation. Send this one again later.", {
    waiting: pendingInputs.size,
  });
}

/** The turn of the message that was first stored under a key, maybe by an earlier request. */
async function turnOf({ store }: MessageParts, key: ConversationKey, seq: number, sent: EventBody<"input.received">) {
  const [stored] = await store.readEvents(key, { after: seq - 1, limit: 1 });
  const event = stored?.event;
  if (event === undefined || "unknown" in event || event.kind !== "input.received")
    throw new CairnError(
      "corrupt",
      `Event ${seq} should contain this message, but does not. Run cairn doctor to check the store.`,
    );
  if (!isSame(event.body, sent))
    throw new CairnError(
      "idempotency_conflict",
      "The idempotency key was already used for a different message. Use a new key.",
    );
  if (await isWithdrawn(store, key, seq, event.body.key))
    throw new CairnError(
      "idempotency_conflict",
      "The idempotency key was used for a message that was withdrawn. Use a new key to send the message again.",
    );
  const { turn_id } = event.body;
  return typeof turn_id === "string" ? turn_id : null;
}

/** Whether the message at `seq` was withdrawn before a turn took it. */
async function isWithdrawn(store: ConversationStore, key: ConversationKey, seq: number, message: string) {
  if ((await store.loadOutline(key)).state.pendingInputs.has(message)) return false;
  const { last_seq } = await store.getConversation(key);
  for await (const events of missedEvents(store, key, seq, last_seq))
    for (const { event } of events) {
      if ("unknown" in event) continue;
      if (event.kind === "input.promoted" && event.body.key === message) return false;
      if (event.kind === "input.withdrawn" && event.body.messages.includes(message)) return true;
    }
  return false;
}

/**
 * Whether two messages are equal: text, mode, agent, model, reasoning, output schema, settings and files. Files are
 * compared by name and hash. Contexts and time zones may differ, because they may have changed when a client retries.
 */
function isSame(kept: EventBody<"input.received">, sent: EventBody<"input.received">): boolean {
  const saidBy = ({ message, mode, settings = null, attachments, ...sender }: EventBody<"input.received">) =>
    JSON.stringify([
      message,
      mode,
      sender.agent,
      sender.model,
      sender.reasoning,
      sender.output,
      settings,
      attachments.map(({ name, blob }) => [name, blob]),
    ]);
  return saidBy(kept) === saidBy(sent);
}

/** Stores the bytes of an attachment. */
export async function keepFile(
  { store }: Pick<MessageParts, "store">,
  key: ConversationKey,
  { name, mime, bytes }: NewFile,
): Promise<Attachment> {
  const { ref, size } = await store.putBlob(key, [bytes]);
  const guess = mime ?? (bytes.subarray(0, 1_024).includes(0) ? "application/octet-stream" : "text/plain");
  // The media type: detected from the bytes, or else from the name, or else the declared type.
  const known = sniffMime(bytes) ?? mimeOfName(name, guess);
  return { name: name.toWellFormed(), mime: known, blob: ref, size_bytes: size };
}
