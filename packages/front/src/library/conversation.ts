/** One conversation of an application. It is created with its first message. */
import { decodeText, recordedRequests } from "@cairn/agent";
import type { ModelRequest } from "@cairn/api";
import type { Scope } from "@cairn/store";
import {
  CairnError,
  type Json,
  type JsonObject,
  reasoningSchema,
  type SentReasoning,
  viewApproval,
} from "@cairn/timeline";
import type { z } from "zod";
import { describeRequest } from "../content/describe-request.ts";
import { foundContent, isStoredText } from "../content/found-content.ts";
import { newConversationId } from "../data/conversation-id.ts";
import { workspaceFolder } from "../data/local-data.ts";
import { checkOptions, type OptionKinds } from "../define/check-options.ts";
import { takeOrBegin } from "../messages/begin-conversation.ts";
import type { NewMessage } from "../messages/take-message.ts";
import { answerCall } from "../turns/answer-call.ts";
import { cancelTurn } from "../turns/cancel-turn.ts";
import { findRunning } from "../turns/find-running.ts";
import { forkConversation } from "../turns/fork.ts";
import { withLease } from "../turns/with-lease.ts";
import { type Attachment, readAttachments } from "./attachments.ts";
import { approvalOfCall, clientAnswer, refusalOfCall } from "./call-answer.ts";
import { type Message, type MessagesOptions, readMessages } from "./messages.ts";
import { outputOf, outputSchemaOf } from "./output.ts";
import type { ConversationParts } from "./parts.ts";
import { Run } from "./run.ts";
import type { Approval, ApprovalOptions, ClientAnswer, RefusalOptions } from "./run-part.ts";
import { approvalOf } from "./run-parts.ts";

export interface ConversationOptions {
  /** The scope of the conversation. Default: `local`, `default` and `me`, which the command line uses too. */
  readonly tenant?: string;
  readonly project?: string;
  readonly user?: string;
  /** The context for the tools of every message. It is stored with each message, so it must contain no secrets. */
  readonly context?: JsonObject;
  /** The agent, by name; default: the first one. */
  readonly agent?: string;
}

export const CONVERSATION_OPTIONS: OptionKinds<ConversationOptions> = {
  tenant: "text",
  project: "text",
  user: "text",
  context: "object",
  agent: "text",
};

export interface SendOptions {
  /**
   * Your own id for the message. Sending the same message again under this id returns the same run. Sending another
   * message under this id, or a message that was withdrawn, throws `idempotency_conflict`.
   */
  readonly id?: string;
  /** Files to attach: paths, or names with content. */
  readonly files?: readonly Attachment[];
  /** The context of this message; replaces the context of the conversation. */
  readonly context?: JsonObject;
  /** The agent of this message, by name. */
  readonly agent?: string;
  /** How much the model reasons about this message: `{ effort: "high" }` or `{ budget_tokens: 8000 }`. */
  readonly reasoning?: SentReasoning;
}

const SEND_OPTIONS: OptionKinds<SendOptions> = {
  id: "text",
  files: "any",
  context: "object",
  agent: "text",
  reasoning: "object",
};

export interface OutputOptions<O> extends SendOptions {
  /** The answer is a value of this schema: validated, and repaired by the model if it does not match. */
  readonly output: z.ZodType<O>;
}

/** The content at a logical path, as `read` returns it. */
export interface Content {
  readonly path: string;
  readonly mime: string | null;
  readonly version: number;
  /** The whole content as text; null if it is not text. For a document, the text that the agent read from it. */
  readonly text: string | null;
  readonly bytes: () => Promise<Uint8Array>;
}

export interface ForkOptions {
  /** An id for the new conversation; default: a generated one. */
  readonly id?: string;
  /** The fork copies the conversation up to the message of this turn, so that another message can be sent instead. */
  readonly before?: string;
  /** The fork copies the conversation up to the end of this turn; default: the last turn. */
  readonly after?: string;
}

const MESSAGES_OPTIONS: OptionKinds<MessagesOptions> = { limit: "number" };

const FORK_OPTIONS: OptionKinds<ForkOptions> = { id: "text", before: "text", after: "text" };

const MAX_ID_LENGTH = 200;

/** How long a new fork waits for its lease. Only a process that looks for turns may hold the lease. */
const FORK_PATIENCE_MS = 1_500;

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #defaults: Pick<ConversationOptions, "context" | "agent">;

  constructor(parts: ConversationParts, defaults: Pick<ConversationOptions, "context" | "agent">) {
    this.#parts = parts;
    this.#defaults = defaults;
  }

  get id(): string {
    return this.#parts.key.conversation;
  }

  get scope(): Scope {
    const { tenant, project, user } = this.#parts.key;
    return { tenant, project, user };
  }

  /** Sends a message. When this resolves, the message is stored. Its turn may run here or in another process. */
  send<O>(text: string, options: OutputOptions<O>): Promise<Run<O>>;
  send(text: string, options?: SendOptions): Promise<Run>;
  async send<O>(text: string, options: SendOptions & Partial<OutputOptions<O>> = {}): Promise<Run<O>> {
    checkOptions(options, { ...SEND_OPTIONS, output: "any" }, "`send`");
    const { output: schema, ...rest } = options;
    const { turn_id, input_key, seq } = await this.#take(text, "turn", rest, schema);
    if (turn_id === null)
      throw new CairnError(
        "corrupt",
        "The message was stored without the id of its turn, so its answer cannot be followed.",
      );
    const read =
      schema === undefined ? undefined : (value: Json | undefined, exit: string) => outputOf(schema, value, exit);
    return new Run(this.#parts, { turnId: turn_id, message: input_key, from: seq }, read);
  }

  /** Sends a message that becomes part of the running turn. Without a running turn, the message opens one. */
  async steer(text: string, options: SendOptions = {}): Promise<void> {
    checkOptions(options, SEND_OPTIONS, "`steer`");
    await this.#take(text, "steer", options);
  }

  /** The run of the turn that is open or waits to begin; null when there is none. */
  async resume(): Promise<Run | null> {
    const { store, key, queue } = this.#parts;
    const running = await findRunning(store, key);
    if (running === null) return null;
    // A turn whose process died is continued here, if this process runs turns.
    await queue.offer(key);
    return new Run(this.#parts, running);
  }

  /** Stops the running turn. Its text so far becomes the answer. */
  async cancel(): Promise<void> {
    await cancelTurn(this.#parts, this.#parts.key);
  }

  /** The calls that wait for approval, or for the output of a client. */
  async approvals(): Promise<readonly Approval[]> {
    const { state } = await this.#parts.store.loadOutline(this.#parts.key);
    const asked = [...state.approvalsRequested.values()].filter(({ call_id }) => !state.approvalsGiven.has(call_id));
    return asked.map(viewApproval).map(approvalOf);
  }

  /** Approves a call as it was shown: an `approval` part or an item of `approvals`, even if a browser sent it back. */
  async approve(approval: Pick<Approval, "id" | "hash">, options?: ApprovalOptions): Promise<void> {
    await answerCall(this.#parts, this.#parts.key, approvalOfCall(approval, options));
  }

  async refuse(approval: Pick<Approval, "id" | "hash">, options?: RefusalOptions): Promise<void> {
    await answerCall(this.#parts, this.#parts.key, refusalOfCall(approval, options));
  }

  /** Answers a call of a tool without `run`: a `client_tool` part, or an item of `approvals`. */
  async respond(call: Pick<Approval, "id" | "hash">, answer: ClientAnswer): Promise<void> {
    await answerCall(this.#parts, this.#parts.key, clientAnswer(call, answer));
  }

  /** Creates a conversation that begins with the events of this one. */
  async fork(options: ForkOptions = {}): Promise<Conversation> {
    checkOptions(options, FORK_OPTIONS, "`fork`");
    const { id, before, after } = options;
    if (before !== undefined && after !== undefined)
      throw new CairnError("bad_request", "A fork begins `before` a turn or `after` one. Give only one of them.");
    const { store, key, now } = this.#parts;
    const conversation = id ?? newConversationId(now());
    const turn = before ?? after ?? (await store.loadOutline(key)).state.turnIds.at(-1);
    if (turn === undefined) throw new CairnError("not_found", "The conversation has no turn to fork after.");
    const at = { turn_id: turn, edge: before === undefined ? "after" : "before" } as const;
    const lease: typeof leaseOf = leaseOf;
    await forkConversation({ store, withLease: lease }, key, conversation, at, false);
    return new Conversation({ ...this.#parts, key: { ...key, conversation } }, this.#defaults);

    function leaseOf<T>(fork: typeof key, write: Parameters<typeof withLease<T>>[3]): Promise<T> {
      return withLease({ store, now }, fork, FORK_PATIENCE_MS, write);
    }
  }

  /** The content at a logical path, in any version: `fi:<turn>.files/report.md@v1`. Throws `not_found`. */
  async read(path: string): Promise<Content> {
    const { store, key, settings } = this.#parts;
    const found = await store.findByPath(key, path);
    if (found === null)
      throw new CairnError("not_found", `There is no content at ${path} in conversation ${this.id}.`, { path });
    const { artifact, version } = found;
    const bytes = async () =>
      Buffer.concat(await Array.fromAsync(foundContent(store, key, found, workspaceFolder(settings.dataDir, key))));
    // Blocks may contain only the beginning of a stored file, or no content.
    const text = isStoredText(found) ? decodeText(await bytes()) : (artifact.text ?? null);
    return { path: artifact.path, mime: artifact.mime, version, text, bytes };
  }

  /** The messages of the last turns, oldest first, as a person sees them. */
  async messages(options: MessagesOptions = {}): Promise<readonly Message[]> {
    checkOptions(options, MESSAGES_OPTIONS, "`messages`");
    return readMessages(this.#parts.store, this.#parts.key, options);
  }

  /** Every request to a model: its tokens, its cost, and how much was read from the provider's cache. */
  async receipts(): Promise<readonly ModelRequest[]> {
    const { store, key } = this.#parts;
    const described: ModelRequest[] = [];
    for await (const request of recordedRequests(store, key)) described.push(describeRequest(request));
    return described;
  }

  async #take(
    text: string,
    mode: "turn" | "steer",
    { id, files = [], context, agent, reasoning }: SendOptions,
    output?: z.ZodType,
  ) {
    const { key } = this.#parts;
    if (typeof text !== "string") throw new CairnError("bad_request", "A message must be a string.");
    if (id !== undefined && (id === "" || id.length > MAX_ID_LENGTH))
      throw new CairnError("bad_request", `The \`id\` of a message must have 1 to ${MAX_ID_LENGTH} characters.`, {
        field: "id",
      });
    if (reasoning !== undefined) checkReasoning(reasoning);
    const chosen = agent ?? this.#defaults.agent;
    const given = context ?? this.#defaults.context;
    const message: NewMessage = {
      message: text,
      mode,
      agent: chosen,
      reasoning,
      output: output === undefined ? undefined : outputSchemaOf(output),
      files: await readAttachments(files),
      context: given === undefined ? undefined : storedContext(given),
    };
    return takeOrBegin(this.#parts, key, message, id === undefined ? null : `send-${id}`);
  }
}

function checkReasoning(reasoning: NonNullable<SendOptions["reasoning"]>): void {
  const [issue] = reasoningSchema.safeParse(reasoning).error?.issues ?? [];
  if (issue === undefined) return;
  const field = ["reasoning", ...issue.path].map(String).join(".");
  throw new CairnError("bad_request", `\`${field}\` of a message is wrong: ${issue.message}.`, { field });
}

/** Converts the context to JSON, because tools must see only values that the journal can store. */
function storedContext(given: JsonObject): JsonObject {
  try {
    return JSON.parse(JSON.stringify(given)) as JsonObject;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_context", `\`context\` cannot be stored as JSON: ${why}`, { field: "context" });
  }
}
