/** Opens a conversation for the chat: its agent, its folder, and the display that follows its turns. */
import { type AgentDefinition, checkAgentFits } from "@cairn/agent";
import type { ConversationInfo, ConversationKey } from "@cairn/store";
import { CairnError, loadTokenizer } from "@cairn/timeline";
import type { PeoplesServer } from "@cairn/tools/mcp";
import {
  newConversationId,
  type OpenedAgent,
  type OpenedStore,
  openAgent,
  type Settings,
  workspaceFolder,
} from "cairn-agent/process";
import { keyOf, scopeOf } from "../../command/open-data.ts";
import type { Terminal } from "../../command/terminal.ts";
import type { ChatOutput } from "../show/output.ts";
import { TurnWatcher } from "../show/watch-turn.ts";
import { type Admission, openAdmission } from "./admission.ts";
import { Conversation } from "./conversation.ts";

export interface OpenedChat {
  readonly key: ConversationKey;
  /** The folder of the conversation's files (OUT_DIR). */
  readonly folder: string;
  /** What the store says about the conversation; null for a new one. */
  readonly info: ConversationInfo | null;
  readonly agent: AgentDefinition;
  readonly problems: readonly string[];
  /** The MCP servers of the agent. */
  readonly mcpServers: readonly PeoplesServer[];
  readonly admission: Admission;
  readonly conversation: Conversation;
  readonly watcher: TurnWatcher;
}

export interface OpenerParts {
  readonly terminal: Terminal;
  readonly settings: Settings;
  readonly store: OpenedStore;
  readonly output: ChatOutput;
  /** The agent that `--agent` names, for each conversation of the chat. */
  readonly agent: string | undefined;
}

export class ChatOpener implements AsyncDisposable {
  readonly #parts: OpenerParts;
  readonly #agents = new Map<string | null, OpenedAgent>();

  constructor(parts: OpenerParts) {
    this.#parts = parts;
  }

  /** `null` opens a new conversation. Throws `not_found`. */
  async open(id: string | null): Promise<OpenedChat> {
    const { terminal, settings, store, output } = this.#parts;
    const key = keyOf(terminal, id ?? newConversationId(Date.now()));
    const info = id === null ? null : await this.#find(key);
    const named = this.#parts.agent ?? (typeof info?.attributes.agent === "string" ? info.attributes.agent : null);
    const opened = await this.#agent(named);
    const { agent, problems, mcpServers = [] } = opened;
    const countTokens = await loadTokenizer();
    checkAgentFits(agent, countTokens);
    const folder = workspaceFolder(settings.dataDir, key);
    const watcher = new TurnWatcher(output);
    const admission = openAdmission(settings, store, opened, terminal.env);
    const told = { listener: watcher.listen, onWait: (reason: string) => watcher.line("dim", reason) };
    const conversation = new Conversation(
      { store, key, agent, admission, folder, countTokens, ...told },
      info !== null,
    );
    return { key, folder, info, agent, problems, mcpServers, admission, conversation, watcher };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#agents.values()) await opened[Symbol.asyncDispose]();
  }

  async #agent(name: string | null): Promise<OpenedAgent> {
    const { terminal, settings, store } = this.#parts;
    const opened =
      this.#agents.get(name) ?? (await openAgent(settings, terminal.env, name, { store, owner: scopeOf(terminal) }));
    this.#agents.set(name, opened);
    return opened;
  }

  async #find(key: ConversationKey): Promise<ConversationInfo> {
    try {
      return await this.#parts.store.getConversation(key);
    } catch (error) {
      if (!CairnError.is(error) || error.code !== "not_found") throw error;
      throw new CairnError(
        "not_found",
        `There is no conversation ${key.conversation}. Run cairn list to see all conversations.`,
      );
    }
  }
}
