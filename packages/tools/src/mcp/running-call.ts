/**
 * A call in progress. A server of a revision before 2026-07-28 asks its questions while the call runs, so the call
 * stays open until a person has answered, even when the turn that made it waits. The timeout of the call stands still
 * while the person answers.
 */
import { addAbortListener } from "node:events";
import { CairnError } from "@cairn/timeline";
import type { CallToolResult, ElicitResult, InputRequiredResult } from "@modelcontextprotocol/client";

export interface RunningOptions {
  readonly server: string;
  readonly timeoutMs: number;
  /** With progress reports, a call may take this much longer in total. */
  readonly factor: number;
}

type Result = CallToolResult | InputRequiredResult;

interface Asked {
  readonly params: unknown;
  readonly answer: (result: ElicitResult) => void;
}

/** Maximum time that a server is kept waiting for an answer. */
const ANSWER_MS = 30 * 60_000;

export class RunningCall {
  /** The task that the server runs for the call. */
  task: string | null = null;
  readonly #options: RunningOptions;
  readonly #abort = new AbortController();
  #total: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #result: Promise<Result> | null = null;
  #isOver = false;
  #asked: Asked | null = null;
  #arrived = Promise.withResolvers<void>();

  constructor(options: RunningOptions) {
    this.#options = options;
    this.#go();
  }

  /** Whether the server waits for an answer. */
  get isAsking(): boolean {
    return this.#asked !== null;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(result: Promise<Result>): void {
    this.#result = result.finally(() => {
      this.#isOver = true;
      this.#stop();
    });
    this.#result.catch(() => undefined); // The caller that waits for the next step gets the error.
  }

  /** Handles progress that the server reported: the timeout starts again, unless it stands still. */
  heard(): void {
    if (this.#asked !== null || this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), this.#options.timeoutMs);
  }

  /** Handles a question of the server. The answer comes with `answer`. */
  ask(params: unknown): Promise<ElicitResult> {
    if (this.#asked !== null || this.#isOver) return Promise.resolve({ action: "cancel" });
    this.#stop();
    const { promise, resolve } = Promise.withResolvers<ElicitResult>();
    this.#asked = { params, answer: resolve };
    this.#arrived.resolve();
    this.#timer = setTimeout(() => this.cancel(this.#unanswered()), ANSWER_MS).unref();
    return promise;
  }

  answer(result: ElicitResult): void {
    const asked = this.#asked;
    this.#asked = null;
    this.#arrived = Promise.withResolvers<void>();
    if (!this.#isOver) this.#go();
    asked?.answer(result);
  }

  /** Waits for the result, or for a question. The caller's signal cancels the call. */
  async next(signal: AbortSignal): Promise<{ readonly result: Result } | { readonly question: unknown }> {
    using _ = addAbortListener(signal, () => this.cancel(signal.reason));
    const result = await Promise.race([this.#result, this.#arrived.promise]);
    return this.#asked === null ? { result: result as Result } : { question: this.#asked.params };
  }

  cancel(reason: unknown): void {
    this.#abort.abort(reason);
    this.#asked?.answer({ action: "cancel" });
  }

  #go(): void {
    const { timeoutMs, factor } = this.#options;
    clearTimeout(this.#total);
    this.#total = setTimeout(() => this.#expire(), timeoutMs * factor);
    this.heard();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#total);
  }

  #expire(): void {
    const { server, timeoutMs } = this.#options;
    this.cancel(
      new CairnError("mcp_timeout", `The MCP server ${server} did not answer within ${timeoutMs / 1_000} s.`, {
        server,
      }),
    );
  }

  #unanswered(): CairnError {
    const { server } = this.#options;
    return new CairnError("mcp_question_lost", `Nobody answered the question of the MCP server ${server} in time.`, {
      server,
    });
  }
}
