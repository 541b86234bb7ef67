/**
 * An environment for turns: a real store in a temporary folder, a real workspace, and the Anthropic adapter connected
 * to a simulated provider over a socket. Ids and times are counters, so that two runs of one script give the same
 * journal.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentDefinition,
  type Model,
  openStoreWorkspace,
  type RunTurnOptions,
  reactTools,
  runTurn,
  type TurnOutcome,
  type TurnSignal,
} from "@cairn/agent";
import { type ConversationKey, type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import {
  type Block,
  type CountTokens,
  type EventBody,
  type JsonObject,
  makeEvent,
  type TimelineEvent,
} from "@cairn/timeline";
import { ModelSimulator, type SimulatorOptions } from "../models/index.ts";
import { simulatedModel } from "./simulated-model.ts";

const fourthOfChars: CountTokens = (text) => Math.ceil(text.length / 4);

export interface BenchOptions {
  readonly agent?: Partial<AgentDefinition>;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  /** Tokens of the window: the provider rejects requests that exceed it, input and output together. */
  readonly isStrict?: boolean;
  /** How the agent and the provider count tokens; one for four characters by default. */
  readonly countTokens?: CountTokens;
  /** Replaces Anthropic's adapter: a model at the simulator's address. */
  readonly model?: (baseUrl: string) => Promise<Model>;
  readonly simulator?: Partial<SimulatorOptions>;
  /** Replaces the embedded store in a temporary folder. */
  readonly openStore?: (folder: string) => Promise<EmbeddedStore>;
  /** Needed if several benches open one database. Default: `c1`. */
  readonly conversation?: string;
}

export type OpenBench = (options?: BenchOptions) => Promise<TurnBench>;

export class TurnBench implements AsyncDisposable {
  readonly signals: TurnSignal[] = [];
  readonly simulator: ModelSimulator;
  readonly agent: AgentDefinition;
  readonly #folder: string;
  readonly #countTokens: CountTokens;
  #store: EmbeddedStore;
  #key: ConversationKey;
  #now = Date.parse("2026-02-09T10:00:00Z");
  #ids = 0;
  #inputs = 0;
  readonly #attachments: EventBody<"input.received">["attachments"][number][] = [];
  #life = 0;

  private constructor(
    folder: string,
    store: EmbeddedStore,
    simulator: ModelSimulator,
    model: Model,
    options: BenchOptions,
  ) {
    this.#folder = folder;
    this.#store = store;
    this.simulator = simulator;
    this.#key = { tenant: "acme", project: "site", user: "ada", conversation: options.conversation ?? "c1" };
    this.#countTokens = options.countTokens ?? fourthOfChars;
    this.agent = { name: "test", instructions: "You help.", model, tools: reactTools(), ...options.agent };
  }

  static async open(options: BenchOptions = {}): Promise<TurnBench> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-turns-"));
    const open = options.openStore ?? ((dir: string) => openEmbeddedStore({ dir }));
    const store = await open(join(folder, "data"));
    const { countTokens = fourthOfChars, contextTokens, maxOutputTokens } = options;
    const strict = options.isStrict === true && contextTokens !== undefined ? { contextWindow: contextTokens } : {};
    const simulator = await ModelSimulator.start({ countTokens, ...strict, ...options.simulator });
    const { baseUrl } = simulator;
    const model = (await options.model?.(baseUrl)) ?? simulatedModel(baseUrl, contextTokens, maxOutputTokens);
    const bench = new TurnBench(folder, store, simulator, model, options);
    await store.createConversation(bench.key);
    return bench;
  }

  get key(): ConversationKey {
    return this.#key;
  }

  /** The folder of the store and the workspace. */
  get folder(): string {
    return this.#folder;
  }

  get store(): EmbeddedStore {
    return this.#store;
  }

  /** Attaches a file to the next message. */
  async attach(name: string, mime: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content);
    const { ref } = await this.#store.putBlob(this.key, [bytes]);
    this.#attachments.push({ name, mime, size_bytes: bytes.length, blob: ref });
  }

  /** Appends a user's message with its attachments. */
  async say(
    message: string,
    mode: "turn" | "steer" | "follow-up" = "turn",
    settings?: EventBody<"input.received">["settings"],
    output?: JsonObject,
  ): Promise<void> {
    const key = `input-${++this.#inputs}`;
    const attachments = this.#attachments.splice(0);
    const body = { key, mode, message, attachments, ts: "2026-02-09T10:00:00Z" };
    await this.append(
      makeEvent("input.received", {
        ...body,
        ...(settings === undefined ? {} : { settings }),
        ...(output === undefined ? {} : { output }),
      }),
    );
  }

  /** Appends any input, as another process would. */
  async append(event: TimelineEvent): Promise<void> {
    await this.#store.append(this.key, [event]);
  }

  /** Continues on a branch that shares everything so far with a conversation that is deleted. */
  async moveToBranch(): Promise<void> {
    const trunk = this.#key;
    const { last_seq } = await this.#store.getConversation(trunk);
    this.#key = { ...trunk, conversation: `${trunk.conversation}-branch` };
    await this.#store.branch(trunk, last_seq, this.#key.conversation);
    await this.#store.deleteConversation(trunk);
  }

  /** Runs the conversation's turn in a new attempt. */
  async run(options: Partial<RunTurnOptions> = {}): Promise<TurnOutcome> {
    const workspace = await openStoreWorkspace(options.store ?? this.#store, this.key, join(this.#folder, "out"));
    return runTurn({
      agent: this.agent,
      store: this.#store,
      key: this.key,
      workspace,
      ids: { turn: () => `turn_${++this.#ids}`, call: () => `tc_${(++this.#ids).toString(16).padStart(12, "0")}` },
      countTokens: this.#countTokens,
      now: () => (this.#now += 10),
      sleep: async () => undefined,
      random: () => 0.5,
      holder: `life-${++this.#life}`,
      listener: (signal) => this.signals.push(signal),
      ...options,
    });
  }

  /** Sends a message and runs the turn it opens. `output`: the schema of its answer. */
  async turn(message: string, output?: JsonObject): Promise<TurnOutcome> {
    await this.say(message, "turn", undefined, output);
    return this.run();
  }

  async blocks(): Promise<readonly Block[]> {
    const { state } = await this.#store.load(this.key);
    return state.window.map((entry) => entry.block);
  }

  /** Types of all blocks, for comparing sequences. */
  async types(): Promise<string[]> {
    return (await this.blocks()).map((block) => block.type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
    await this.#store.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
