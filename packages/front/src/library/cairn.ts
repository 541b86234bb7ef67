/** The one object of an application: its agents on a store, and their conversations. */
import { newConversationId } from "../data/conversation-id.ts";
import { LOCAL_SCOPE } from "../data/local-data.ts";
import { checkOptions, type OptionKinds } from "../define/check-options.ts";
import type { ImportedMessages } from "../transcript/import-messages.ts";
import type { MessageFormat } from "../transcript/message-format.ts";
import { type BatchOptions, type BatchResult, runBatch } from "./batch.ts";
import { CONVERSATION_OPTIONS, Conversation, type ConversationOptions } from "./conversation.ts";
import type { CairnParts } from "./parts.ts";

export interface ImportOptions extends ConversationOptions {
  /** An id for the new conversation; default: a generated one. */
  readonly id?: string;
  /** The system that wrote the messages; default: detected. */
  readonly format?: MessageFormat;
}

const IMPORT_OPTIONS: OptionKinds<ImportOptions> = { ...CONVERSATION_OPTIONS, id: "text", format: "text" };

export interface Imported extends ImportedMessages {
  readonly conversation: Conversation;
}

export class Cairn implements AsyncDisposable {
  readonly #parts: CairnParts;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | null = null;

  constructor(parts: CairnParts, close: () => Promise<void>) {
    this.#parts = parts;
    this.#close = close;
  }

  /** Returns the store, the queue and other parts. Only other packages of Cairn use this function, as `partsOf`. */
  static parts(cairn: Cairn): CairnParts {
    return cairn.#parts;
  }

  /** Parts of the agents that do not work, one sentence each, such as MCP servers that cannot be reached. */
  get problems(): readonly string[] {
    return this.#parts.agents.problems;
  }

  /** A conversation, which begins with its first message. Without `id`, the id is generated. */
  conversation(id?: string, options: ConversationOptions = {}): Conversation {
    checkOptions(options, CONVERSATION_OPTIONS, "`conversation`");
    return this.#open(id, options);
  }

  #open(id: string | undefined, options: ConversationOptions): Conversation {
    const { tenant, project, user, agent } = options;
    if (agent !== undefined) this.#parts.agents.find(agent);
    const scope = {
      tenant: tenant ?? LOCAL_SCOPE.tenant,
      project: project ?? LOCAL_SCOPE.project,
      user: user ?? LOCAL_SCOPE.user,
    };
    const key = { ...scope, conversation: id ?? newConversationId(this.#parts.now()) };
    return new Conversation({ ...this.#parts, key }, options);
  }

  /**
   * Makes a conversation from messages of another system: `UIMessage[]` or `ModelMessage[]` of the AI SDK, messages or
   * items of OpenAI, or messages of Anthropic. `losses` lists content that could not be imported. No turn runs until
   * the next message is sent.
   */
  async import(messages: unknown, given: ImportOptions = {}): Promise<Imported> {
    checkOptions(given, IMPORT_OPTIONS, "`import`");
    const { id, format, ...options } = given;
    const { importMessages } = await import("../transcript/import-messages.ts");
    const conversation = this.#open(id, options);
    const key = { ...conversation.scope, conversation: conversation.id };
    const { name } = this.#parts.agents.find(options.agent ?? null);
    const imported = await importMessages(this.#parts, messages, { key, format, attributes: { agent: name } });
    return { ...imported, conversation };
  }

  /**
   * Runs one conversation for each item, several at a time, and returns their results in the order of the items. After
   * a crash, call it again with the same items. Completed items are not run again, and the other items continue.
   */
  batch<T, O = undefined>(
    items: Iterable<T> | AsyncIterable<T>,
    options: BatchOptions<T, O>,
  ): Promise<readonly BatchResult<T, O>[]> {
    return runBatch(items, options, (id) => this.#open(id, options));
  }

  /** Stops running turns, which another process or the next start continues, and ends all processes and connections. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Returns the parts of an open Cairn, for a server that the application mounts. */
export function partsOf(cairn: Cairn): CairnParts {
  return Cairn.parts(cairn);
}
