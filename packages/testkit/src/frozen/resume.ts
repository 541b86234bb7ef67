/**
 * Continues a frozen conversation with the current version: the turn that was open, and every message that waited, come
 * to an end. The model is a simulator that answers every question at once, so no part of the frozen scripts is needed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentDefinition,
  answerApproval,
  type ConsentAnswer,
  openStoreWorkspace,
  runTurn,
  type TurnOutcome,
} from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type EventBody, makeEvent } from "@cairn/timeline";
import { ModelSimulator } from "../models/index.ts";
import { scratch } from "../scratch.ts";
import { simulatedModel } from "../turns/simulated-model.ts";
import { frozenTools, laterTools } from "./scenarios/frozen-tools.ts";

export const ANSWER = "That is all.";
const countTokens = (text: string) => Math.ceil(text.length / 4);
/** Maximum number of turns, more than any conversation has left. */
const MAX_TURNS = 10;

export class Resumer implements AsyncDisposable {
  readonly #store: ConversationStore;
  readonly #clock: { time: number };
  readonly #simulator: ModelSimulator;
  readonly #folder = mkdtempSync(join(scratch, "cairn-resume-"));
  #ids = 0;

  private constructor(store: ConversationStore, clock: { time: number }, simulator: ModelSimulator) {
    this.#store = store;
    this.#clock = clock;
    this.#simulator = simulator;
  }

  static async open(store: ConversationStore, clock: { time: number }): Promise<Resumer> {
    const simulator = await ModelSimulator.start({ countTokens, clock: { now: () => clock.time } });
    simulator.script([{ reply: { text: ANSWER }, times: Number.POSITIVE_INFINITY }]);
    return new Resumer(store, clock, simulator);
  }

  /**
   * Sends a message, then runs all work. Each call that waits for approval, for an answer or for output gets this once.
   * A version may ask again. It then gets no answer, and the turn is cancelled.
   */
  async resume(key: ConversationKey, message: string): Promise<void> {
    const ts = this.#ts();
    const body = { key: "later input", mode: "turn" as const, message, attachments: [], ts };
    await this.#store.append(key, [makeEvent("input.received", body)]);
    if (!(await this.#runAll(key))) {
      const { state } = await this.#store.load(key);
      for (const asked of state.approvalsRequested.values())
        await this.#store.append(key, [makeEvent("approval.given", answerApproval(key, asked, yesTo(asked, ts)))]);
      if (!(await this.#runAll(key))) {
        await this.#store.append(key, [makeEvent("cancel.requested", { key: "later cancel", ts })]);
        await this.#runAll(key);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs turns until there is no more work; false when a call waits for approval. */
  async #runAll(key: ConversationKey): Promise<boolean> {
    for (let nth = 0; nth < MAX_TURNS; nth++) {
      const { status } = await this.#run(key);
      if (status !== "ended") return status === "idle";
    }
    throw new Error(`${key.conversation} does not come to an end.`);
  }

  async #run(key: ConversationKey): Promise<TurnOutcome> {
    const agent: AgentDefinition = {
      name: "frozen",
      instructions: "You help with the site.",
      model: simulatedModel(this.#simulator.baseUrl),
      tools: [...frozenTools({ effect: () => undefined, ask: async () => undefined }), ...laterTools],
    };
    return runTurn({
      agent,
      store: this.#store,
      key,
      countTokens,
      workspace: await openStoreWorkspace(this.#store, key, join(this.#folder, key.tenant, key.conversation)),
      ids: { turn: () => `turn_later_${++this.#ids}`, call: () => `tc_later${++this.#ids}` },
      now: () => this.#clock.time,
      sleep: async () => undefined,
      random: () => 0.5,
      holder: "a later version",
    });
  }

  #ts(): string {
    return new Date(this.#clock.time).toISOString();
  }
}

/** The answer for a call that waits for approval, asks a question, or is run by the client. */
function yesTo({ client, question }: EventBody<"approval.requested">, ts: string): ConsentAnswer {
  const yes = { approve: true, ts };
  if (client === true) return { ...yes, output: "Done." };
  return question === undefined ? yes : { ...yes, answer: {} };
}
