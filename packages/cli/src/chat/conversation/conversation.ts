/** One conversation in this process: appends messages and approvals, and runs turns until there is no more work. */
import { setTimeout as wait } from "node:timers/promises";
import {
  type AgentDefinition,
  type ConsentAnswer,
  openStoreWorkspace,
  runTurn,
  type TurnListener,
  type TurnOutcome,
  thisMachine,
  type Workspace,
} from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type CountTokens, type EventBody } from "@cairn/timeline";
import { answerCall, cancelTurn, type NewFile, type NewMessage, takeOrBegin } from "cairn-agent/turns";
import type { Admission } from "./admission.ts";
import { type ChosenFile, readChosen } from "./attachment.ts";
import { describeHolder } from "./describe-holder.ts";

export interface ConversationParts {
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  readonly agent: AgentDefinition;
  readonly admission: Admission;
  readonly countTokens: CountTokens;
  /** The folder of the conversation's files (OUT_DIR). */
  readonly folder: string;
  readonly listener: TurnListener;
  /** Called once when another process holds the conversation, with the reason and the maximum wait. */
  readonly onWait: (reason: string) => void;
}

export interface SendOptions {
  readonly mode?: "turn" | "steer";
  /** The model for the next messages, if it is not the agent's own. */
  readonly model?: string | undefined;
  /** The prompt of an MCP server from which the message was made, and its files. */
  readonly prompt?: NewMessage["prompt"];
  readonly files?: readonly NewFile[] | undefined;
}

export type Approval = EventBody<"approval.requested">;

/** How long a killed process keeps its lease, which is also the maximum wait of the next process. */
const LEASE_MS = 5_000;
const PATIENCE_MS = 3 * LEASE_MS;
const LOOK_AGAIN_MS = 100;

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #machine = thisMachine();
  readonly #stop = new AbortController();
  #exists: boolean;

  constructor(parts: ConversationParts, exists: boolean) {
    this.#parts = parts;
    this.#exists = exists;
  }

  /** Whether the conversation is in the store, where its first message creates it. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Whether there is work before a new message: an open turn, or a waiting message. */
  async hasWork(): Promise<boolean> {
    if (!this.#exists) return false;
    const { state } = await this.#parts.store.loadOutline(this.#parts.key);
    return state.openTurn !== null || state.pendingInputs.size > 0;
  }

  /** The message of the open or next turn; null when there is neither. */
  async unanswered(): Promise<string | null> {
    const { state } = await this.#parts.store.load(this.#parts.key);
    const open = state.openTurn === null ? [] : state.turnEntries(state.openTurn);
    const prompt = open.find(({ kind }) => kind.role === "prompt")?.block.text;
    return prompt ?? [...state.pendingInputs.values()][0]?.message ?? null;
  }

  /** Only the first message creates the conversation, so that an unused chat leaves nothing in the store. */
  async send(message: string, chosen: readonly ChosenFile[], options: SendOptions = {}): Promise<void> {
    const { store, key, agent, admission } = this.#parts;
    const { mode = "turn", model, prompt, files: made = [] } = options;
    const files = [...(await Promise.all(chosen.map(readChosen))), ...made];
    const named = this.#exists ? (await store.getConversation(key)).attributes.agent : agent.name;
    const sent = {
      message,
      mode,
      files,
      // The agent of this process answers, even if the conversation began with another agent.
      agent: named === agent.name ? undefined : agent.name,
      model,
      settings: undefined,
      time_zone: undefined,
      prompt,
    };
    const agents = model === undefined ? admission.agents : await admission.loadModels();
    await takeOrBegin({ ...this.#acting, ...admission, agents }, key, sent, null);
    this.#exists = true;
  }

  /** Stops the running turn and keeps its text so far. A turn that begins later is not stopped. */
  async cancel(): Promise<void> {
    if (await this.hasWork()) await cancelTurn(this.#acting, this.#parts.key);
  }

  /** Aborts the turn, which another process can continue. */
  abandon(): void {
    this.#stop.abort(new CairnError("abandoned", "Cancelled. The interrupted turn was not continued."));
  }

  /** Runs the next turn; `idle` when there is no work. */
  async runNext(): Promise<TurnOutcome> {
    const { store, key, folder, agent, admission } = this.#parts;
    const workspace: Workspace = await openStoreWorkspace(store, key, folder);
    const deadline = this.#machine.now() + PATIENCE_MS;
    for (let told = false; ; ) {
      try {
        return await runTurn({
          ...this.#parts,
          agent: async (_turn, { model }) =>
            model === undefined ? agent : (await admission.loadModels()).withModel(agent, model),
          workspace,
          ...this.#machine,
          leaseMs: LEASE_MS,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          signal: this.#stop.signal,
        });
      } catch (error) {
        if (!CairnError.is(error) || error.code !== "lease_held") throw error;
        const { who, isGone } = describeHolder(error.details.holder);
        if (this.#machine.now() > deadline)
          throw new CairnError(
            "lease_held",
            `${who} is still answering in this conversation. Wait until it has finished or stop it, then try again.`,
          );
        if (!told)
          this.#parts.onWait(
            isGone
              ? `The process that was answering (${who}) has died. Taking over within ${LEASE_MS / 1_000} s…`
              : `${who} is answering in this conversation. Waiting up to ${PATIENCE_MS / 1_000} s for it…`,
          );
        told = true;
        await wait(LOOK_AGAIN_MS, undefined, { signal: this.#stop.signal });
      }
    }
  }

  async approvals(): Promise<Approval[]> {
    const { state } = await this.#parts.store.loadOutline(this.#parts.key);
    return [...state.approvalsRequested.values()].filter(({ call_id }) => !state.approvalsGiven.has(call_id));
  }

  async decide({ call_id, hash }: Approval, given: Omit<ConsentAnswer, "ts">): Promise<void> {
    await answerCall(this.#acting, this.#parts.key, { call_id, hash: hash ?? null, remember: false, ...given });
  }

  /** The parts for cancelling and approving. There is no queue, because this process runs the turns itself. */
  get #acting() {
    const { store } = this.#parts;
    const queue = {
      admit: async () => undefined,
      offer: async () => undefined,
      status: async () => ({ status: (await this.hasWork()) ? ("queued" as const) : ("idle" as const) }),
    };
    return { store, atOnce: store, queue, now: this.#machine.now };
  }
}
