/**
 * A conversation that is played to be frozen: the agent's loop over a real store, with a provider's own package talking
 * to a simulator over a socket. Ids and time are counted, so that every run gives the same journal.
 *
 * `parkAt` ends the process at a step: a call of the store, or a request to the model. The process releases nothing, so
 * the lease stays held and open streams stay open, as after a crash.
 */
import { join } from "node:path";
import {
  type AgentDefinition,
  answerApproval,
  type ConsentAnswer,
  changeOrder,
  type Model,
  type OrderChange,
  openStoreWorkspace,
  resolveModel,
  runTurn,
  type TurnOutcome,
} from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type CountTokens, type EventBody, makeEvent, type TimelineEvent, type TurnChoice } from "@cairn/timeline";
import {
  type MessageReply,
  type ModelRequest,
  ModelSimulator,
  type SimulatorOptions,
  simulatorEnv,
} from "../../models/index.ts";
import { Life } from "../../turns/life.ts";
import { frozenTools } from "./frozen-tools.ts";

/** The model's answer, or a function that makes it from the request. */
export type ScriptedReply = MessageReply | ((request: ModelRequest) => MessageReply);

export interface PlayOptions {
  readonly model?: string;
  readonly contextTokens?: number;
  readonly agent?: Partial<AgentDefinition>;
  readonly countTokens?: CountTokens;
  /** The compatible server whose rules apply. */
  readonly server?: NonNullable<SimulatorOptions["server"]>;
  /** Called while the tool `site.ask` runs. */
  readonly ask?: (played: PlayedConversation) => Promise<void>;
}

export interface RunOptions {
  readonly agent?: Partial<AgentDefinition>;
  /** Accepts the step at which the process ends. */
  readonly parkAt?: (step: string) => boolean;
  /** Milliseconds that pass each time the clock is read; 0 by default. */
  readonly tickMs?: number;
  /** Asks the process to stop, as an operator does. */
  readonly stop?: AbortSignal;
}

/** The clock moves only when a conversation moves it. The store's clock may be ahead, so that leases expire. */
export class PlayedClock {
  time = 0;
  ahead = 0;

  now(): number {
    return this.time + this.ahead;
  }
}

export interface Place {
  readonly store: ConversationStore;
  readonly clock: PlayedClock;
  readonly folder: string;
  /** Called with every request body that was answered. */
  readonly onBody: (body: string) => void;
}

const MODEL = "anthropic:claude-sonnet-5";
const SUMMARY = "Goal: what the user asked for.\nProgress: some of it is done.\nNext Steps: the rest.";
/** Seconds between two turns. */
const PAUSE_SECONDS = 5;
/** The machine's clock renews leases. Their duration is so long that none is renewed while a scenario runs. */
const LEASE_MS = 600_000;

export class PlayedConversation {
  key: ConversationKey;
  readonly place: Place;
  readonly #options: PlayOptions;
  readonly #simulator: ModelSimulator;
  readonly #replies: ScriptedReply[];
  readonly #attachments: EventBody<"input.received">["attachments"][number][] = [];
  #ids = 0;
  #isParked = false;

  private constructor(
    place: Place,
    key: ConversationKey,
    options: PlayOptions,
    simulator: ModelSimulator,
    replies: ScriptedReply[],
  ) {
    this.place = place;
    this.key = key;
    this.#options = options;
    this.#simulator = simulator;
    this.#replies = replies;
  }

  static async open(place: Place, conversation: string, options: PlayOptions = {}): Promise<PlayedConversation> {
    const replies: ScriptedReply[] = [];
    const simulator = await ModelSimulator.start({
      countTokens: options.countTokens ?? countTokens,
      clock: { now: () => place.clock.time },
      ...(options.server === undefined ? {} : { server: options.server }),
    });
    const reply = (request: ModelRequest): MessageReply => {
      if (request.system.startsWith("You name conversations")) return { text: "A frozen title" };
      if (isSummary(request)) return { text: SUMMARY };
      const next = replies.shift();
      if (next === undefined) throw new Error(`${conversation} asks for one answer more than its script has.`);
      return typeof next === "function" ? next(request) : next;
    };
    simulator.script([{ reply, times: Number.POSITIVE_INFINITY }]);
    const key = { tenant: "local", project: "default", user: "me", conversation };
    const played = new PlayedConversation(place, key, options, simulator, replies);
    await place.store.createConversation(key, { attributes: { agent: "frozen" } });
    return played;
  }

  async close(): Promise<void> {
    for (const { bytes, status } of this.#simulator.requests) if (status === 200) this.place.onBody(bytes);
    const refused = this.#simulator.requests.find(({ refusal }) => refusal !== null);
    if (refused !== undefined) throw new Error(`${this.key.conversation}: ${refused.refusal}`);
    await this.#simulator.close();
    if (!this.#isParked && this.#replies.length > 0)
      throw new Error(`${this.key.conversation} leaves answers of its script unused.`);
  }

  pass(seconds: number): void {
    this.place.clock.time += seconds * 1_000;
  }

  async attach(name: string, mime: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content);
    const { ref } = await this.place.store.putBlob(this.key, [bytes]);
    this.#attachments.push({ name, mime, size_bytes: bytes.length, blob: ref });
  }

  async say(message: string, mode: "turn" | "steer" | "follow-up" = "turn", choice: TurnChoice = {}): Promise<void> {
    const attachments = this.#attachments.splice(0);
    await this.append(
      makeEvent("input.received", { key: this.#name("input"), mode, message, attachments, ts: this.#ts(), ...choice }),
    );
  }

  /** Gives the conversation a title, as a person does. */
  async title(title: string): Promise<void> {
    await this.append(makeEvent("title.given", { key: this.#name("title"), title, ts: this.#ts() }));
  }

  async cancel(): Promise<void> {
    await this.append(makeEvent("cancel.requested", { key: this.#name("cancel"), ts: this.#ts() }));
  }

  async react(reaction: string): Promise<void> {
    const { state } = await this.place.store.load(this.key);
    const turn_id = state.turnIds.at(-1) ?? "";
    await this.append(
      makeEvent("feedback.received", { key: this.#name("feedback"), turn_id, reaction, ts: this.#ts() }),
    );
  }

  /** Answers every approval that is open. */
  async decide(approve: boolean, more: Omit<ConsentAnswer, "approve" | "ts"> = {}): Promise<void> {
    const { state } = await this.place.store.load(this.key);
    const answer = { ...more, approve, ts: this.#ts() };
    for (const asked of state.approvalsRequested.values())
      await this.append(makeEvent("approval.given", answerApproval(this.key, asked, answer)));
  }

  /** Withdraws the messages that wait, as a person does. */
  async withdraw(): Promise<void> {
    const { state } = await this.place.store.load(this.key);
    const messages = [...state.pendingInputs.values()].map(({ key }) => key);
    await this.append(makeEvent("input.withdrawn", { key: this.#name("withdraw"), messages, ts: this.#ts() }));
  }

  /** Gives, changes or closes a standing order, as a person does. */
  async order(change: OrderChange): Promise<void> {
    await changeOrder(this.place.store, this.key, change, { key: this.#name("order"), ts: this.#ts() });
  }

  async append(event: TimelineEvent): Promise<void> {
    await this.place.store.append(this.key, [event]);
  }

  /** Sends a message and runs its turn. */
  async turn(
    message: string,
    replies: readonly ScriptedReply[],
    options: RunOptions = {},
  ): Promise<TurnOutcome | "parked"> {
    this.pass(PAUSE_SECONDS);
    await this.say(message);
    return this.run(replies, options);
  }

  /** Runs the open turn, or the next message, in a new process. */
  async run(replies: readonly ScriptedReply[] = [], options: RunOptions = {}): Promise<TurnOutcome | "parked"> {
    // The process that ended holds the lease until the lease expires.
    if (this.#isParked) this.place.clock.ahead += 2 * LEASE_MS;
    this.#isParked = false;
    this.#replies.push(...replies);
    const { store, clock, folder } = this.place;
    const life = new Life(options.parkAt ?? null);
    const lived = life.store(store);
    const agent = { ...(await this.#agent()), ...options.agent };
    try {
      return await runTurn({
        agent: { ...agent, model: watched(agent.model, life) },
        store: lived,
        key: this.key,
        workspace: await openStoreWorkspace(lived, this.key, join(folder, this.key.conversation)),
        ids: {
          turn: () => `turn_${this.#nextId()}`,
          call: () => `tc_${this.#nextId().toString(16).padStart(12, "0")}`,
        },
        countTokens: this.#options.countTokens ?? countTokens,
        now: () => (clock.time += options.tickMs ?? 0),
        sleep: async () => undefined,
        random: () => 0.5,
        holder: `process-${this.#nextId()}`,
        leaseMs: LEASE_MS,
        signal: options.stop === undefined ? life.signal : AbortSignal.any([life.signal, options.stop]),
      });
    } catch (error) {
      if (error !== life.death && error !== options.stop?.reason) throw error;
      this.#isParked = true;
      return "parked";
    }
  }

  async fork(conversation: string): Promise<void> {
    const { last_seq } = await this.place.store.getConversation(this.key);
    await this.place.store.fork(this.key, last_seq, conversation);
    this.key = { ...this.key, conversation };
  }

  /** Continues in a branch that has the first `turns` turns; default: all turns. */
  async branch(conversation: string, turns = Number.POSITIVE_INFINITY): Promise<void> {
    const { store } = this.place;
    const { last_seq } = await store.getConversation(this.key);
    const next = (await store.turns(this.key)).items[turns];
    await store.branch(this.key, next === undefined ? last_seq : next.opened_seq - 1, conversation);
    this.key = { ...this.key, conversation };
  }

  /** Continues in a copy that was exported and imported under another tenant. */
  async import(conversation: string): Promise<void> {
    const { store } = this.place;
    const target = { ...this.key, tenant: "other", conversation };
    await store.importConversation(target, store.exportConversation(this.key));
    this.key = target;
  }

  /** The model of that name, connected to the simulator instead of its provider. */
  async model(name: string): Promise<Model> {
    const { contextTokens = 200_000 } = this.#options;
    return resolveModel(name, {
      ...simulatorEnv(this.#simulator.baseUrl),
      CAIRN_MODEL_CONTEXT_TOKENS: String(contextTokens),
      CAIRN_MODEL_MAX_OUTPUT_TOKENS: "2000",
    });
  }

  async #agent(): Promise<AgentDefinition> {
    return {
      name: "frozen",
      instructions: "You help with the site.\nCite what you say.",
      model: await this.model(this.#options.model ?? MODEL),
      tools: frozenTools({ effect: () => undefined, ask: async () => this.#options.ask?.(this) }),
      budgets: { iterations: 40 },
      ...this.#options.agent,
    };
  }

  #nextId(): number {
    return ++this.#ids;
  }

  #name(kind: string): string {
    return `${kind}-${this.#nextId()}`;
  }

  #ts(): string {
    return new Date(this.place.clock.time).toISOString();
  }
}

function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Names each request to the model by its purpose. */
function watched(inner: Model, life: Life): Model {
  const model = life.model(inner);
  return {
    ...model,
    stream: async function* (request, options) {
      life.pass(request.instruction === undefined ? "ask for a decision" : "ask for a summary");
      yield* model.stream(request, options);
    },
  };
}

/** A request for a decision ends with an announcement. */
function isSummary({ texts }: ModelRequest): boolean {
  return !texts.slice(-2).some((text) => text.includes("[ANNOUNCE]"));
}
