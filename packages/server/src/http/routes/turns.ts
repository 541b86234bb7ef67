/** Messages: each is stored in the journal before the response, and then becomes a turn or part of one. */
import { randomUUID } from "node:crypto";
import { mimeOfName, sniffMime, thisMachine } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import {
  CairnError,
  choiceIn,
  type EventBody,
  makeEvent,
  requestSettingsSchema,
  type SentSettings,
} from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { type App, endpoint } from "../endpoint.ts";
import { limitsOf, MAX_ATTACHMENTS, MAX_MESSAGE_CHARS, MAX_PENDING } from "../limits.ts";
import { type Intake, readBody } from "../read-body.ts";
import { readForm } from "../read-form.ts";
import {
  boundedList,
  conversationParams,
  problemSchema,
  timeZoneSchema,
  usualProblems,
  writtenText,
} from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

type Attachment = EventBody<"input.received">["attachments"][number];

const mode = z.enum(["turn", "steer", "follow-up"]).default("turn");
const model = z.string().min(1).max(200).optional();
const message = writtenText().max(MAX_MESSAGE_CHARS).default("");

const sentFile = z.object({
  name: z.string().min(1).max(255),
  mime: z.string().max(200).optional(),
  data: z.base64(),
});

const messageSchema = z.object({
  ...{ message, mode, model, agent: z.string().min(1).max(200).optional() },
  settings: requestSettingsSchema.optional().describe("Model settings for the turn of this message"),
  time_zone: timeZoneSchema.optional(),
  attachments: boundedList(sentFile, MAX_ATTACHMENTS).default([]),
});

export interface NewFile {
  readonly name: string;
  readonly mime: string | undefined;
  readonly bytes: Uint8Array;
}

export interface NewMessage {
  readonly message: string;
  readonly mode: "turn" | "steer" | "follow-up";
  readonly model: string | undefined;
  readonly agent: string | undefined;
  readonly settings: SentSettings | undefined;
  readonly time_zone: string | undefined;
  readonly files: readonly NewFile[];
}

export interface TakenMessage {
  readonly turn_id: string | null;
  readonly input_key: string;
  readonly seq: number;
}

export function turnRoutes(app: App, parts: ServerParts): void {
  const limits = limitsOf(parts.settings);
  endpoint(
    app,
    {
      ...{ method: "post", path: "/api/conversations/{id}/turns", tag: "Turns", summary: "Sends a message" },
      params: conversationParams,
      headers: z.object({ "idempotency-key": z.string().min(1).max(200).optional() }),
      body: messageSchema,
      otherBodies: {
        "multipart/form-data": z.object({
          ...{ message: z.string().optional(), mode: z.string().optional() },
          ...{ model: z.string().optional(), agent: z.string().optional() },
          ...{ settings: z.string().optional().describe("As JSON"), time_zone: z.string().optional() },
          attachments: z.array(z.string().openapi({ format: "binary" })).optional(),
        }),
      },
      // Base64 takes a third more than the bytes.
      mostBytes: Math.ceil(limits.upload_bytes * 1.4),
      answers: {
        202: {
          description: "The message was stored. `turn_id` is null for a message that steers a running turn.",
          schema: z.object({ turn_id: z.string().nullable(), input_key: z.string(), seq: z.number().int() }),
        },
        409: { description: "The idempotency key was already used for a different message.", schema: problemSchema },
        413: { description: "The request is too large.", schema: problemSchema },
        ...usualProblems,
      },
    },
    async (context, { params, body }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const sent: NewMessage =
        body === undefined
          ? await readFormMessage(context.req.raw, limits.upload_bytes, context.get("intake"))
          : { ...body, files: body.attachments.map(decodeFile), ...optionalsOf(body) };
      const idempotencyKey = readIdempotencyKey(context.req.header("idempotency-key"));
      const taken = await takeMessage(parts, key, sent, idempotencyKey);
      if (taken.turn_id !== null) context.set("turn", taken.turn_id);
      return context.json(taken, 202);
    },
  );
}

/** Stores a message and enqueues the conversation. Sending it again with the same key changes nothing. */
export async function takeMessage(
  parts: ServerParts,
  key: ConversationKey,
  sent: NewMessage,
  idempotencyKey: string | null,
): Promise<TakenMessage> {
  const { store, queue, agents, room, now } = parts;
  await admitMessage(parts, key, sent);
  room.note(key, sent.message.length + sizeOf(sent.files));
  // An imported conversation may name an agent that this server does not have; its message would wait forever.
  const { attributes } = await store.getConversation(key);
  agents.find(sent.agent ?? (typeof attributes.agent === "string" ? attributes.agent : null));
  await checkPending(parts, key);
  const attachments: Attachment[] = [];
  for (const file of sent.files) attachments.push(await keepFile(parts, key, file));
  const turn_id = sent.mode === "steer" ? null : thisMachine().ids.turn();
  const input_key = idempotencyKey ?? randomUUID();
  const body = {
    ...{ key: input_key, mode: sent.mode, message: sent.message, attachments, ts: new Date(now()).toISOString() },
    ...(turn_id === null ? {} : { turn_id }),
    ...choiceIn(sent),
    ...(sent.settings === undefined ? {} : { settings: sent.settings }),
    ...(sent.time_zone === undefined ? {} : { time_zone: sent.time_zone }),
  };
  const { seqs } = await store.append(key, [makeEvent("input.received", body)]);
  const seq = seqs[0] ?? 0;
  await queue.offer(key);
  return { turn_id: idempotencyKey === null ? turn_id : await turnOf(parts, key, seq, body), input_key, seq };
}

/** Provider options may raise cost or change what the model can do, so the operator configures which are allowed. */
function checkRequestSettings(
  { provider_options = {} }: SentSettings,
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
    `A message may not set the provider option ${JSON.stringify(refused)}. The setting CAIRN_PROVIDER_OPTIONS lists those it may set.`,
    {
      allowed,
    },
  );
}

/** Checks that a message is valid and that there is space for it. Nothing is stored yet. */
export async function admitMessage(
  { queue, agents, room, settings, telemetry }: ServerParts,
  key: ConversationKey,
  { message: said, files, model: asked, settings: wanted, mode: how }: NewMessage,
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

/** A conversation takes one place in the queue, however much is sent to it: so much and no more. */
async function checkPending({ store, queue, telemetry }: ServerParts, key: ConversationKey): Promise<void> {
  if ((await queue.status(key)).status === "idle") return;
  const { pendingInputs } = (await store.load(key)).state;
  if (pendingInputs.size < MAX_PENDING) return;
  telemetry.turnRefused();
  throw new CairnError("queue_full", "Too many messages are waiting in this conversation. Send this one again later.", {
    waiting: pendingInputs.size,
  });
}

/** The turn of the message stored under a key: the first one, which may be an earlier one. */
async function turnOf({ store }: ServerParts, key: ConversationKey, seq: number, sent: EventBody<"input.received">) {
  const [stored] = await store.readEvents(key, { after: seq - 1, limit: 1 });
  const event = stored?.event;
  if (event === undefined || "unknown" in event || event.kind !== "input.received")
    throw new CairnError("corrupt", `Event ${seq} no longer contains this message.`);
  if (!isSame(event.body, sent))
    throw new CairnError(
      "idempotency_conflict",
      "The idempotency key was already used for a different message. Use a new key.",
    );
  const { turn_id } = event.body;
  return typeof turn_id === "string" ? turn_id : null;
}

/** Whether two messages are equal, including their files, which are compared by hash. */
function isSame(kept: EventBody<"input.received">, sent: EventBody<"input.received">): boolean {
  const saidBy = ({ message, mode, settings = null, attachments, ...choice }: EventBody<"input.received">) =>
    JSON.stringify([message, mode, choiceIn(choice), settings, attachments.map(({ name, blob }) => [name, blob])]);
  return saidBy(kept) === saidBy(sent);
}

async function keepFile(
  { store }: ServerParts,
  key: ConversationKey,
  { name, mime, bytes }: NewFile,
): Promise<Attachment> {
  const { ref, size } = await store.putBlob(key, [bytes]);
  const guess = mime ?? (bytes.subarray(0, 1_024).includes(0) ? "application/octet-stream" : "text/plain");
  // The type detected from the bytes wins over the name, and the name over the declared type.
  const known = sniffMime(bytes) ?? mimeOfName(name, guess);
  return { name: name.toWellFormed(), mime: known, blob: ref, size_bytes: size };
}

function decodeFile({ name, mime, data }: z.output<typeof sentFile>): NewFile {
  return { name, mime, bytes: Buffer.from(data, "base64") };
}

async function readFormMessage(request: Request, mostBytes: number, intake: Intake): Promise<NewMessage> {
  const bytes = await readBody(request, mostBytes + 100_000, intake);
  const type = request.headers.get("content-type") ?? "";
  const parts = readForm(bytes, type);
  const text = (name: string) => {
    const part = parts.find((each) => each.name === name && each.filename === null);
    const value = part === undefined ? "" : Buffer.from(part.bytes).toString("utf8");
    // A browser converts every line end in a form to CRLF; this undoes it.
    return value === "" ? undefined : value.replaceAll("\r\n", "\n");
  };
  const fields = { message: text("message"), mode: text("mode"), model: text("model"), agent: text("agent") };
  const checked = messageSchema.safeParse({
    ...fields,
    settings: readJson(text("settings")),
    time_zone: text("time_zone"),
  });
  if (!checked.success)
    throw new CairnError("bad_request", `The form is not valid: ${checked.error.issues[0]?.message ?? ""}.`);
  const files = parts
    .filter(({ name }) => name === "attachments")
    .map(({ filename, type: mime, bytes: content }): NewFile => {
      if (filename === null) throw new CairnError("bad_request", "Every part named `attachments` must be a file.");
      const name = filename === "" ? "attachment" : filename.slice(0, 255);
      return { name, mime: mime ?? undefined, bytes: content };
    });
  if (files.length > MAX_ATTACHMENTS)
    throw new CairnError("too_large", `The message has more than ${MAX_ATTACHMENTS} attachments. Send fewer.`);
  const { message: said, mode: how } = checked.data;
  return { message: said, mode: how, files, ...optionalsOf(checked.data) };
}

function optionalsOf({ model: asked, agent, settings, time_zone }: z.output<typeof messageSchema>) {
  return { model: asked, agent, settings, time_zone };
}

const MAX_SETTINGS_CHARS = 10_000;

/** Text that is not JSON, or too long for settings, is passed on for the schema to reject. */
function readJson(text: string | undefined): unknown {
  if (text === undefined || text.length > MAX_SETTINGS_CHARS) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readIdempotencyKey(given: string | undefined): string | null {
  if (given === undefined) return null;
  if (given === "" || given.length > 200)
    throw new CairnError("bad_request", "An idempotency key must have 1 to 200 characters.");
  return `idem-${given}`;
}
