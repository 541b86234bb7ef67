/**
 * A requested turn: its parts as they happen, and its result. A run is only a view of the journal. Any process may run
 * the turn, several may watch it, and a run of a turn that has ended reports the same texts again.
 */
import { CairnError, extractCitations, type FileView, type Json, type SourceRow, viewApproval } from "@cairn/timeline";
import { ItemFollower } from "../live/item-follower.ts";
import { answerCall } from "../turns/answer-call.ts";
import { callAnswer } from "./call-answer.ts";
import { PartWriter } from "./part-writer.ts";
import type { ConversationParts } from "./parts.ts";
import type { Approval, ApprovalOptions, RunPart } from "./run-part.ts";
import type { Usage } from "./run-spending.ts";

export interface RunResult<O = undefined> {
  /**
   * How the turn ended: `complete`; `clarify` with a question to the user; `cancelled`; `max_iterations` or `budget` when a
   * limit was reached; `waiting` when calls wait for approval, and the turn goes on when they are answered.
   */
  readonly exit: "complete" | "clarify" | "cancelled" | "max_iterations" | "budget" | "waiting";
  /** The answer, with citations as links. */
  readonly text: string;
  readonly usage: Usage;
  /** Dollars; null if the price of a model is unknown. */
  readonly cost: number | null;
  /** The files that the turn wrote. */
  readonly files: readonly FileView[];
  /** The sources that the answer cites. */
  readonly sources: readonly SourceRow[];
  /** Questions that the user may want to ask next. */
  readonly followups: readonly string[];
  /** The calls that wait for approval. */
  readonly approvals: readonly Approval[];
  /** The value, if the message asked for structured output. Reading it throws `no_output` if there is none. */
  readonly output: O;
}

export interface RunPlace {
  readonly turnId: string;
  /** The id of the message; null for a turn that was joined. */
  readonly message: string | null;
  /** Seq of the message, or of the event before the turn. */
  readonly from: number;
}

/** Reads structured output; undefined for a message that did not ask for it. */
type ReadOutput<O> = ((value: Json | undefined, exit: string) => O) | undefined;

export class Run<O = undefined> implements AsyncIterable<RunPart> {
  readonly #parts: ConversationParts;
  readonly #place: RunPlace;
  readonly #readOutput: ReadOutput<O>;
  readonly #answered = new Set<string>();
  #ended: PartWriter | null = null;

  constructor(parts: ConversationParts, place: RunPlace, readOutput?: ReadOutput<O>) {
    this.#parts = parts;
    this.#readOutput = readOutput;
    this.#place = place;
  }

  /** The id of the turn. */
  get id(): string {
    return this.#place.turnId;
  }

  /** The id of the message; null for a turn that was joined. */
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
   * The result, when the turn has ended or waits for approval. Each use of `result` waits anew. It rejects if the turn
   * ended with an error.
   */
  get result(): Promise<RunResult<O>> {
    return this.#result();
  }

  async #result(): Promise<RunResult<O>> {
    const writer = this.#ended ?? (await this.#watchToEnd());
    const { turn, text, spending, sources } = writer;
    const { exit = null, error = null, completion = null, files = [], followups = [] } = turn ?? {};
    if (exit === "error" || exit === "quarantined")
      throw new CairnError(error?.code ?? exit, error?.message ?? text, { turn: this.id, text });
    const cited = new Set(extractCitations(completion?.text ?? "", "markdown"));
    const known = completion?.sources_known ?? 0;
    const readOutput = this.#readOutput;
    const shownExit = writer.isClosed ? (exit as RunResult["exit"]) : "waiting";
    return {
      exit: shownExit,
      text,
      ...spending,
      files,
      followups,
      sources: sources.filter(({ sid }) => sid <= known && cited.has(sid)),
      approvals: writer.isClosed ? [] : writer.approvals.filter(({ id }) => !this.#answered.has(id)),
      get output(): O {
        return readOutput === undefined ? (undefined as O) : readOutput(completion?.output, shownExit);
      },
    };
  }

  async #watchToEnd(): Promise<PartWriter> {
    const watching = this.#watch();
    for (;;) {
      const { done, value } = await watching.next();
      if (done === true) return value;
    }
  }

  async *#watch(): AsyncGenerator<RunPart, PartWriter, undefined> {
    const { store, key } = this.#parts;
    const { turnId, from } = this.#place;
    using follower = await ItemFollower.open(this.#parts, key, from);
    const { state } = await store.load(key);
    const asked = [...state.approvalsRequested.values()].filter(({ call_id }) => !state.approvalsGiven.has(call_id));
    const writer = new PartWriter({
      turnId,
      sources: [...state.pool.rows()],
      // Approvals of this turn arrive with their events.
      approvals: asked.map(viewApproval).filter(({ turn_id }) => turn_id !== turnId),
      ask: (approval) => ({
        type: "approval",
        ...approval,
        approve: (options) => this.#answer(approval, true, options),
        refuse: (options) => this.#answer(approval, false, options),
      }),
    });
    // The store's own timers do not keep a process alive that waits for another one.
    using _ = keepAlive();
    yield* writer.start();
    for await (const { items, isCaughtUp } of follower.batches(() => writer.openStreams)) {
      for (const item of items) {
        yield* writer.take(item);
        if (writer.isClosed) return this.#end(writer);
      }
      if (isCaughtUp && writer.isWaiting(this.#answered)) return writer;
    }
    throw new CairnError(
      "closed",
      "The run can no longer be followed, because its store was closed or its conversation deleted.",
      {
        turn: turnId,
      },
    );
  }

  #end(writer: PartWriter): PartWriter {
    this.#ended = writer;
    return writer;
  }

  async #answer({ id, hash }: Approval, approve: boolean, options?: ApprovalOptions): Promise<void> {
    this.#answered.add(id);
    try {
      await answerCall(this.#parts, this.#parts.key, callAnswer({ id, hash }, approve, options));
    } catch (error) {
      this.#answered.delete(id);
      throw error;
    }
  }
}

function keepAlive(): Disposable {
  const timer = setInterval(() => undefined, 2 ** 30);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
