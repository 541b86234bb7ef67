/**
 * A trace played as real turns: the agent's loop, a real store on disk, and a provider's own package talking over a
 * socket to a simulator that keeps a prompt cache by the provider's rules. Agent, store and simulator share one clock,
 * which the trace moves. If the trace says so, the process ends: the turn is interrupted between two requests, the
 * store is closed, and another process continues from the disk.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentDefinition,
  answerApproval,
  type Model,
  openStoreWorkspace,
  resolveModel,
  runTurn,
} from "@cairn/agent";
import { type ConversationKey, type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { type Block, type CountTokens, makeEvent, Timeline, type TimelineEvent } from "@cairn/timeline";
import { type MessageReply, type ModelRequest, ModelSimulator, simulatorEnv } from "../models/index.ts";
import { countTraceTokens, plainContent, type Trace, type TraceContent, type TraceTurn } from "./trace.ts";

export interface ReplayOptions {
  /** Id of the model, such as `anthropic:…` or `google:…`. */
  readonly model: string;
  readonly contextTokens?: number;
  /** How the history is sent (default: as the registry says). */
  readonly lowering?: "native" | "flat";
  readonly agent?: Partial<AgentDefinition>;
  /** Counts tokens. By default, it estimates them from the length of the text. */
  readonly countTokens?: CountTokens;
  /** How the provider counts tokens (default: like the agent), and its window. By default, it rejects no request. */
  readonly provider?: { readonly countTokens?: CountTokens; readonly contextWindow?: number };
  readonly content?: TraceContent;
}

/** One attempt of a process at a turn. */
export interface LifeOptions {
  /** Fields that replace those of the trace's agent. */
  readonly agent?: Partial<AgentDefinition>;
  /** The process ends after this many settled rounds. */
  readonly endsAfter?: number;
  /** The process ends after the batch that contains the first event of this kind. */
  readonly endsWith?: (event: TimelineEvent) => boolean;
  /** The user stops the answer when a piece of it begins with this text. */
  readonly cancelAt?: string;
}

export const TRACE_STARTED_AT = Date.UTC(2026, 9, 1, 8);
const WINDOW = 1_000_000;
const SUMMARY: MessageReply = { text: "What was said, in short." };

/** The model's decisions, or a function that makes them from its request. */
export type ScriptedReply = MessageReply | ((request: ModelRequest) => MessageReply);

type Resolve = (model: string, lowering: "native" | "flat" | undefined) => Promise<Model>;

export class ReplayedTrace implements AsyncDisposable {
  /** The key of the conversation, in the scope that the command line uses. */
  key: ConversationKey = { tenant: "local", project: "default", user: "me", conversation: "trace" };
  readonly simulator: ModelSimulator;
  readonly folder: string;
  /** How often a process continued after another process had ended. */
  restarts = 0;
  readonly #trace: Trace;
  readonly #content: TraceContent;
  readonly #countTokens: CountTokens;
  readonly #resolve: Resolve;
  readonly #agent: AgentDefinition;
  readonly #clock: { time: number };
  readonly #replies: ScriptedReply[];
  #store: EmbeddedStore;
  #ids = 0;

  private constructor(
    parts: {
      readonly simulator: ModelSimulator;
      readonly folder: string;
      readonly trace: Trace;
      readonly agent: AgentDefinition;
      readonly content: TraceContent;
      readonly countTokens: CountTokens;
      readonly resolve: Resolve;
    },
    store: EmbeddedStore,
    clock: { time: number },
    replies: ScriptedReply[],
  ) {
    this.simulator = parts.simulator;
    this.folder = parts.folder;
    this.#trace = parts.trace;
    this.#agent = parts.agent;
    this.#content = parts.content;
    this.#countTokens = parts.countTokens;
    this.#resolve = parts.resolve;
    this.#store = store;
    this.#clock = clock;
    this.#replies = replies;
  }

  static async open(trace: Trace, options: ReplayOptions): Promise<ReplayedTrace> {
    const { countTokens = countTraceTokens, content = plainContent(trace) } = options;
    const clock = { time: TRACE_STARTED_AT };
    const replies: ScriptedReply[] = [];
    const simulator = await ModelSimulator.start({
      countTokens,
      clock: { now: () => clock.time },
      ...options.provider,
    });
    // A summary is requested after the history, and is not a round of the trace.
    const reply = (request: ModelRequest): MessageReply => {
      if (isSummary(request)) return SUMMARY;
      const next = replies.shift() ?? {};
      return typeof next === "function" ? next(request) : next;
    };
    simulator.script([{ reply, times: Number.POSITIVE_INFINITY }]);
    const resolve: Resolve = (name, lowering) =>
      resolveModel(name, {
        ...simulatorEnv(simulator.baseUrl),
        CAIRN_MODEL_CONTEXT_TOKENS: String(options.contextTokens ?? WINDOW),
        CAIRN_MODEL_MAX_OUTPUT_TOKENS: "4000",
        CAIRN_MODEL_LOWERING: lowering,
      });
    const model = await resolve(options.model, options.lowering);
    const agent: AgentDefinition = {
      name: "trace",
      instructions: content.instructions,
      model,
      tools: content.tools((seconds) => {
        clock.time += seconds * 1_000;
      }),
      budgets: { iterations: 40 },
      ...options.agent,
    };
    const folder = await mkdtemp(join(tmpdir(), "cairn-trace-"));
    const store = await openEmbeddedStore({ dir: join(folder, ".cairn") });
    const replayed = new ReplayedTrace(
      { simulator, folder, trace, agent, content, countTokens, resolve },
      store,
      clock,
      replies,
    );
    await store.createConversation(replayed.key);
    return replayed;
  }

  get store(): EmbeddedStore {
    return this.#store;
  }

  /** Plays the trace to its end. */
  async run(): Promise<void> {
    for (const [index, turn] of this.#trace.turns.entries()) await this.play(turn, index);
  }

  /** Plays one more turn. */
  async turn(message: string, replies: readonly ScriptedReply[], life: LifeOptions = {}): Promise<void> {
    this.#replies.push(...replies);
    await this.#say(message);
    await this.#life(life);
  }

  /** Continues a turn that was interrupted, or that waited for consent. */
  async goOn(life: LifeOptions = {}): Promise<void> {
    await this.#life(life);
  }

  /** Whether a turn was interrupted or waits. */
  async isOpen(): Promise<boolean> {
    return (await this.#store.load(this.key)).state.openTurn !== null;
  }

  async isWaiting(): Promise<boolean> {
    return (await this.#store.load(this.key)).state.approvalsRequested.size > 0;
  }

  /** Answers every call that waits for consent. */
  async approve(approve: boolean): Promise<void> {
    const { approvalsRequested } = (await this.#store.load(this.key)).state;
    const ts = new Date(this.#clock.time).toISOString();
    for (const asked of approvalsRequested.values())
      await this.#store.append(this.key, [
        makeEvent("approval.given", answerApproval(this.key, asked, { approve, ts })),
      ]);
  }

  /** The user sends a message to the turn that runs. */
  async steer(message: string): Promise<void> {
    await this.#say(message, "steer");
  }

  /** Another program adds blocks between two turns. */
  async contribute(blocks: readonly Block[]): Promise<void> {
    const { token } = await this.#store.acquireLease(this.key, "contributor", 60_000);
    const { state, timelineSeq } = await this.#store.load(this.key);
    const deps = { clock: { now: () => this.#clock.time }, countTokens: this.#countTokens };
    const timeline = Timeline.fromState(state, deps);
    timeline.contribute(blocks);
    await this.#store.append(this.key, timeline.takeEvents(), { lease: { token, expectedSeq: timelineSeq } });
    await this.#store.releaseLease(this.key, token);
  }

  /** Another model of the same simulator. */
  modelOf(name: string, lowering: "native" | "flat"): Promise<Model> {
    return this.#resolve(name, lowering);
  }

  /** Continues in a fork of the conversation. */
  async fork(conversation: string): Promise<void> {
    const { last_seq } = await this.#store.getConversation(this.key);
    await this.#store.fork(this.key, last_seq, conversation);
    this.key = { ...this.key, conversation };
  }

  pass(seconds: number): void {
    this.#clock.time += seconds * 1_000;
  }

  /** Plays one turn of the trace; the model decides on `first` before its own rounds. */
  async play(turn: TraceTurn, index: number, first: readonly ScriptedReply[] = []): Promise<void> {
    this.pass(turn.pause_seconds);
    this.#replies.push(...first, ...this.#content.replies(turn, index));
    await this.#say(this.#content.prompt(turn, index));
    if (turn.restart_after_round !== null) {
      await this.#life({ endsAfter: first.length + turn.restart_after_round });
      await this.reopen();
    }
    await this.#life({});
  }

  /** Drops everything in memory and loads the data on disk again, as another process would. */
  async reopen(): Promise<void> {
    await this.#store.close();
    this.#store = await openEmbeddedStore({ dir: join(this.folder, ".cairn") });
    this.restarts++;
  }

  async #say(message: string, mode: "turn" | "steer" = "turn"): Promise<void> {
    const ts = new Date(this.#clock.time).toISOString();
    const body = { key: `input-${++this.#ids}`, mode, message, attachments: [], ts };
    await this.#store.append(this.key, [makeEvent("input.received", body)]);
  }

  async #life({ agent = {}, endsAfter, endsWith = () => false, cancelAt }: LifeOptions): Promise<void> {
    const end = new AbortController();
    let settled = 0;
    let cancelled: Promise<unknown> | null = null;
    try {
      const outcome = await runTurn({
        agent: { ...this.#agent, ...agent },
        store: this.#store,
        key: this.key,
        workspace: await openStoreWorkspace(this.#store, this.key, join(this.folder, "out")),
        ids: { turn: () => `turn_${++this.#ids}`, call: () => `tc_${(++this.#ids).toString(16).padStart(12, "0")}` },
        countTokens: this.#countTokens,
        now: () => this.#clock.time,
        sleep: async () => undefined,
        random: () => 0.5,
        holder: `life-${++this.#ids}`,
        signal: end.signal,
        listener: (signal) => {
          if (signal.type === "delta" && cancelAt !== undefined && signal.text.startsWith(cancelAt))
            cancelled ??= this.#cancel();
          if (signal.type !== "events") return;
          settled += signal.events.filter(({ kind }) => kind === "call.settled").length;
          if (settled === endsAfter || signal.events.some(endsWith)) end.abort(new Error("The process ends here."));
        },
      });
      await cancelled;
      if (outcome.status === "waiting") return;
      if (outcome.status !== "ended" || outcome.end.exit === "error")
        throw new Error(`The turn did not end as the trace says: ${JSON.stringify(outcome)}`);
    } catch (error) {
      if (!end.signal.aborted) throw error;
    }
  }

  async #cancel(): Promise<void> {
    const ts = new Date(this.#clock.time).toISOString();
    await this.#store.append(this.key, [makeEvent("cancel.requested", { key: `cancel-${++this.#ids}`, ts })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
    await this.#store.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The request for a decision ends with an announcement. */
function isSummary({ texts }: ModelRequest): boolean {
  return !texts.slice(-2).some((text) => text.includes("[ANNOUNCE]"));
}
