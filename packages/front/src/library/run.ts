/**
 * Follows the turn of a message: its parts as they happen, and its result. A run only reads the journal. Any process
 * may run the turn, several may follow it, and a run for a turn that has ended reports the same texts again.
 */
import { addAbortListener } from "node:events";
import { CairnError, type Json, publicRow, viewApproval } from "@cairn/timeline";
import { ItemFollower } from "../live/item-follower.ts";
import { answerCall, type CallAnswer } from "../turns/answer-call.ts";
import { approvalOfCall, clientAnswer, refusalOfCall } from "./call-answer.ts";
import type { ConversationParts } from "./parts.ts";
import type { Approval, RunPart } from "./run-part.ts";
import { approvalOf, runParts } from "./run-parts.ts";
import { TurnChanges } from "./turn-changes.ts";
import { type TurnResult, turnResult } from "./turn-result.ts";

export interface RunResult<O = undefined> extends Omit<TurnResult, "exit" | "output" | "error"> {
  /**
   * How the turn ended: `complete`; `clarify` with a question to the user; `cancelled`, also if the message was
   * withdrawn; `max_iterations` or `budget` when a limit was reached; `waiting` when calls wait for a person, whose
   * answers continue the turn.
   */
  readonly exit: "complete" | "clarify" | "cancelled" | "max_iterations" | "budget" | "waiting";
  /** The value, if the message asked for structured output. Reading this field throws `no_output` if there is none. */
  readonly output: O;
}

export interface RunPlace {
  readonly turnId: string;
  /** The id of the message; null for a turn that was already open when the run began. */
  readonly message: string | null;
  /** The seq of the message or, without a message, of the event before the turn. */
  readonly from: number;
  /** Stops following the turn, with the error `closed`. The turn itself continues. */
  readonly signal?: AbortSignal;
}

/** Reads structured output; undefined for a message that did not ask for it. */
type ReadOutput<O> = ((value: Json | undefined, exit: string) => O) | undefined;

export class Run<O = undefined> implements AsyncIterable<RunPart> {
  readonly #parts: ConversationParts;
  readonly #place: RunPlace;
  readonly #readOutput: ReadOutput<O>;
  /** The requests that were answered through this run. One call may make several requests with different hashes. */
  readonly #answered = new Set<string>();
  #ended: TurnChanges | null = null;

  constructor(parts: ConversationParts, place: RunPlace, readOutput?: ReadOutput<O>) {
    this.#parts = parts;
    this.#readOutput = readOutput;
    this.#place = place;
  }

  /** The id of the turn. */
  get id(): string {
    return this.#place.turnId;
  }

  /** The id of the message; null for a turn that was already open when the run began. */
  get message(): string | null {
    return this.#place.message;
  }

  /**
   * The parts from the beginning of the turn to its end. The iteration also ends when calls wait for approval and none of
   * them was answered; `conversation.resume()` then continues.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunPart, void, undefined> {
    yield* this.#watch();
  }

  /**
   * The result, when the turn has ended or waits for approval. Each use of `result` waits for the end again. It rejects
   * if the turn ended with an error.
   */
  get result(): Promise<RunResult<O>> {
    return this.#result();
  }

  async #result(): Promise<RunResult<O>> {
    const { error, output, approvals, ...ended } = turnResult(this.#ended ?? (await this.#watchToEnd()));
    const { exit, text } = ended;
    if (exit === "error" || exit === "quarantined")
      throw new CairnError(error?.code ?? exit, error?.message ?? text, { turn: this.id, text });
    const readOutput = this.#readOutput;
    return {
      ...ended,
      exit: exit as RunResult["exit"],
      approvals: approvals.filter(({ id, hash }) => !this.#answered.has(requestKey(id, hash))),
      get output(): O {
        return readOutput === undefined ? (undefined as O) : readOutput(output, exit);
      },
    };
  }

  async #watchToEnd(): Promise<TurnChanges> {
    const watching = this.#watch();
    for (;;) {
      const { done, value } = await watching.next();
      if (done === true) return value;
    }
  }

  async *#watch(): AsyncGenerator<RunPart, TurnChanges, undefined> {
    const { store, key } = this.#parts;
    const { turnId, message, from, signal } = this.#place;
    using follower = await ItemFollower.open(this.#parts, key, from);
    using _stop = signal && addAbortListener(signal, () => follower[Symbol.dispose]());
    const { state } = await store.loadOutline(key, { sources: publicRow });
    const asked = [...state.approvalsRequested.values()].filter(({ call_id }) => !state.approvalsGiven.has(call_id));
    const turn = new TurnChanges({
      turnId,
      message,
      sources: [...state.pool.rows()],
      // The approvals of this turn are read from its events.
      approvals: asked.map(viewApproval).filter(({ turn_id }) => turn_id !== turnId),
    });
    const ask = (approval: Approval): RunPart =>
      approval.client
        ? { type: "client_tool", ...approval, respond: (answer) => this.#answer(clientAnswer(approval, answer)) }
        : {
            type: "approval",
            ...approval,
            approve: (options) => this.#answer(approvalOfCall(approval, options)),
            refuse: (options) => this.#answer(refusalOfCall(approval, options)),
          };
    // Keeps this process alive while another one runs the turn, because the store's timers do not.
    using _ = keepAlive();
    yield* turn.view.approvals.map((approval) => ask(approvalOf(approval)));
    for await (const { items, isCaughtUp } of follower.batches(() => turn.openStreams)) {
      for (const item of items) {
        for (const change of turn.take(item)) yield* runParts(change, ask);
        if (turn.isWithdrawn || (turn.turn !== null && turn.turn.exit !== null)) {
          this.#ended = turn;
          return turn;
        }
      }
      if (isCaughtUp && this.#isWaiting(turn) && (await this.#isStillAsked())) return turn;
    }
    throw new CairnError(
      "closed",
      "The run can no longer be followed: its store was closed, its conversation was deleted, or the program stopped following it.",
      {
        turn: turnId,
      },
    );
  }

  /** Whether a person must still answer. After a request to cancel, the waiting turn ends without an answer. */
  async #isStillAsked(): Promise<boolean> {
    const { cancelRequested, approvalsRequested } = (await this.#parts.store.loadOutline(this.#parts.key)).state;
    return cancelRequested === null && approvalsRequested.size > 0;
  }

  /** Whether the turn continues only when a person answers. */
  #isWaiting({ view: { approvals, turns } }: TurnChanges): boolean {
    const open = approvals.filter(({ call_id, hash }) => !this.#answered.has(requestKey(call_id, hash)));
    const asked = new Set(open.map(({ call_id }) => call_id));
    const rounds = turns.flatMap((turn) => turn.rounds);
    return asked.size > 0 && rounds.every(({ call_id, settled_at }) => settled_at !== null || asked.has(call_id));
  }

  async #answer(answer: CallAnswer): Promise<void> {
    const request = requestKey(answer.call_id, answer.hash);
    this.#answered.add(request);
    try {
      await answerCall(this.#parts, this.#parts.key, answer);
    } catch (error) {
      this.#answered.delete(request);
      throw error;
    }
  }
}

function requestKey(callId: string, hash: string | null): string {
  return `${callId} ${hash ?? ""}`;
}

function keepAlive(): Disposable {
  const timer = setInterval(() => undefined, 2 ** 30);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
