/** One request and its answer, from the first byte to the last. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError, type Json, type JsonObject } from "@cairn/timeline";
import { anthropicMessages } from "./anthropic/dialect.ts";
import { bedrockConverse } from "./bedrock/dialect.ts";
import { hasThoughts } from "./body/server-name.ts";
import type { PromptCache } from "./cache/prompt-cache.ts";
import type { Dialect, Failure, Framing, Generation, ReadRequest } from "./dialect/dialect.ts";
import { googleGemini } from "./google/dialect.ts";
import { parseBody } from "./http/parse-json.ts";
import { type Playing, playEvents, untilAborted } from "./http/play-events.ts";
import { readBody } from "./http/read-body.ts";
import { type ErrorAnswer, Refusal } from "./http/refusal.ts";
import { spellEvent } from "./http/wire-event.ts";
import { openaiChat } from "./openai-chat/dialect.ts";
import { openaiResponses } from "./openai-responses/dialect.ts";
import type { RecordedRequest, Writable } from "./recorded-request.ts";
import { type FaultReply, isFault, type MessageReply } from "./script/reply.ts";
import { replyInText } from "./script/reply-in-text.ts";
import type { Script } from "./script/script.ts";
import type { SimulatorOptions } from "./simulator-options.ts";

const DIALECTS: readonly Dialect[] = [anthropicMessages, openaiResponses, openaiChat, googleGemini, bedrockConverse];

const SERVER_SENT: Framing = { contentType: "text/event-stream; charset=utf-8", spell: spellEvent };

/** State that the exchanges of one simulator share. */
export interface SimulatorState {
  readonly options: SimulatorOptions & Required<Pick<SimulatorOptions, "countTokens">>;
  readonly script: Script;
  readonly requests: RecordedRequest[];
  /** Items of answers that later requests may refer to, by id. */
  readonly stored: Map<string, JsonObject>;
  readonly cache: PromptCache;
}

export class Exchange {
  readonly #state: SimulatorState;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #record: Writable<RecordedRequest>;
  /** Aborts when the connection has ended. */
  readonly #gone = new AbortController();
  /** Whether the simulator closed the connection. */
  #cut = false;

  constructor(state: SimulatorState, request: IncomingMessage, response: ServerResponse) {
    this.#state = state;
    this.#request = request;
    this.#response = response;
    const { method = "", url = "", headers } = request;
    const path = url.split("?", 1)[0] ?? "";
    this.#record = {
      nth: state.requests.length + 1,
      at: (state.options.clock ?? Date).now(),
      method,
      path,
      headers,
      bytes: "",
      body: null,
      request: null,
      prompt: null,
      step: null,
      usage: null,
      status: null,
      refusal: null,
      aborted: false,
      done: false,
    };
    state.requests.push(this.#record);
    // A client may disconnect during the answer. Later writes are then ignored.
    response.on("error", () => this.#gone.abort());
    response.once("close", () => {
      this.#record.aborted = !response.writableFinished && !this.#cut;
      this.#record.done = true;
      this.#gone.abort();
    });
  }

  async run(): Promise<void> {
    try {
      const dialect = DIALECTS.find(({ path }) =>
        typeof path === "string" ? path === this.#record.path : path.test(this.#record.path),
      );
      if (dialect === undefined || this.#record.method !== "POST") return this.#refuse(notFound(this.#record));
      await this.#answer(dialect, await this.#read(dialect));
    } catch (error) {
      if (this.#gone.signal.aborted) return;
      if (this.#response.headersSent) return this.#cutOff();
      this.#refuse(error instanceof Refusal ? error.answer : brokenSimulator(error));
    }
  }

  async #read(dialect: Dialect): Promise<ReadRequest> {
    const { maxBytes = dialect.maxBytes, apiKey, countTokens, rules, imagesResetMessages = true } = this.#state.options;
    const bytes = await readBody(this.#request, maxBytes);
    if (bytes === null) throw new Refusal(dialect.fail({ kind: "too_large", maxBytes }));
    this.#record.bytes = bytes.toString("utf8");
    dialect.authorize(this.#request.headers, apiKey);
    const parsed = parseBody(bytes);
    if ("problem" in parsed) throw new Refusal(dialect.refuseJson(parsed.problem));
    this.#record.body = asObject(parsed.value);
    const storedItem = (id: string) => this.#state.stored.get(id);
    const { server } = this.#state.options;
    const { path } = this.#record;
    const given = { ...(rules === undefined ? {} : { rules }), ...(server === undefined ? {} : { server }) };
    const read = dialect.read(parsed.value, { path, countTokens, imagesResetMessages, storedItem, ...given });
    this.#record.request = read.request;
    this.#record.prompt = read.prompt;
    return read;
  }

  async #answer(dialect: Dialect, { request, prompt }: ReadRequest): Promise<void> {
    const { script, options, cache, stored } = this.#state;
    const { countTokens, tellsUsage = true } = options;
    const tokens = prompt.blocks.reduce((sum, block) => sum + block.tokens, 0);
    const generate = (reply: MessageReply, isBilled: boolean): Generation => {
      const input = isBilled
        ? cache.send(prompt, this.#record.at)
        : { total: tokens, read: 0, written: 0, writtenForHour: 0, uncached: tokens };
      if (isBilled) this.#record.usage = input;
      const { nth, at } = this.#record;
      return { nth, at, request, reply, input, countTokens, tellsUsage, tellsThoughts: hasThoughts(options.server) };
    };
    const { contextWindow } = options;
    if (contextWindow !== undefined && tokens + (request.maxTokens ?? 0) > contextWindow)
      return this.#fail(dialect, contextLimit(tokens, contextWindow, request.maxTokens), generate);
    // The request generates no text and only fills the cache, so no step of the script is used.
    if (request.maxTokens === 0) return this.#sendJson(dialect, dialect.message(generate({ truncated: true }, true)));
    const step = script.take(request);
    if (step === null)
      throw new Refusal(dialect.fail({ kind: "status", status: 500, message: script.describeMiss(request) }));
    this.#record.step = step.name;
    if (isFault(step.reply)) return this.#fault(dialect, step.reply, tokens, generate);
    const isToolless = [options.server ?? []].flat().includes("toolless");
    const generation = generate(isToolless ? replyInText(step.reply, request.system) : step.reply, true);
    for (const item of dialect.storedItems?.(generation) ?? [])
      if (typeof item.id === "string") stored.set(item.id, item);
    await (request.stream ? this.#stream(dialect, generation) : this.#complete(dialect, generation));
  }

  async #stream(dialect: Dialect, generation: Generation): Promise<void> {
    const { framing = SERVER_SENT } = dialect;
    this.#begin(200, {
      "content-type": framing.contentType,
      "cache-control": "no-cache",
      ...dialect.headers(this.#record.nth),
    });
    await playEvents(
      this.#response,
      dialect.stream(generation),
      generation.reply,
      this.#playing((sent) => dialect.streamError(generation, sent), framing),
    );
  }

  async #complete(dialect: Dialect, generation: Generation): Promise<void> {
    const { interrupt, delayMs = 0 } = generation.reply;
    if (interrupt?.by === "error") return this.#refuse(dialect.fail({ kind: "overloaded" }));
    if (interrupt !== undefined) return this.#vanish(interrupt.by);
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: this.#gone.signal });
    this.#sendJson(dialect, dialect.message(generation));
  }

  async #fault(dialect: Dialect, fault: FaultReply, tokens: number, generate: Generate): Promise<void> {
    switch (fault.fault) {
      case "cut":
      case "stall":
        return this.#vanish(fault.fault);
      case "context_limit":
        return this.#fail(dialect, contextLimit(tokens, fault.limit ?? tokens - 1, null), generate);
      case "overloaded":
      case "rate_limited":
        return this.#refuse(dialect.fail({ kind: fault.fault }), retryAfter(fault.retryAfter));
      case "status": {
        const { status, message, body } = fault;
        const answer = dialect.fail({ kind: "status", status, ...(message === undefined ? {} : { message }) });
        const headers = { ...fault.headers, ...retryAfter(fault.retryAfter) };
        return this.#refuse(body === undefined ? answer : { status, body }, headers);
      }
    }
  }

  async #fail(dialect: Dialect, failure: Failure, generate: Generate): Promise<void> {
    const inStream = this.#record.request?.stream ? dialect.failInStream?.(failure, generate({}, false)) : null;
    if (inStream == null) return this.#refuse(dialect.fail(failure));
    this.#begin(200, { "content-type": SERVER_SENT.contentType, ...dialect.headers(this.#record.nth) });
    this.#record.refusal = errorMessage(dialect.fail(failure).body);
    await playEvents(
      this.#response,
      inStream,
      {},
      this.#playing(() => []),
    );
  }

  async #vanish(how: "cut" | "stall"): Promise<void> {
    if (how === "stall") return untilAborted(this.#gone.signal);
    this.#cutOff();
  }

  #playing(errorEvents: Playing["errorEvents"], { spell } = SERVER_SENT): Playing {
    return { errorEvents, spell, cut: () => this.#cutOff(), gone: this.#gone.signal };
  }

  #cutOff(): void {
    this.#cut = true;
    this.#response.destroy();
  }

  #sendJson(dialect: Dialect, body: JsonObject): void {
    this.#begin(200, { "content-type": "application/json", ...dialect.headers(this.#record.nth) });
    this.#response.end(JSON.stringify(body));
  }

  #refuse({ status, body, headers }: ErrorAnswer, more: Readonly<Record<string, string>> = {}): void {
    this.#record.refusal = errorMessage(body);
    this.#begin(status, { "content-type": "application/json", ...headers, ...more });
    this.#response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  #begin(status: number, headers: Readonly<Record<string, string>>): void {
    this.#record.status = status;
    this.#response.writeHead(status, headers);
  }
}

type Generate = (reply: MessageReply, isBilled: boolean) => Generation;

function contextLimit(tokens: number, limit: number, maxTokens: number | null): Failure {
  return { kind: "context_limit", tokens, limit, maxTokens };
}

function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { "retry-after": String(seconds) };
}

function notFound({ method, path }: RecordedRequest): ErrorAnswer {
  const message = `The simulator does not know ${method} ${path}; it speaks POST ${DIALECTS.map((each) => each.path).join(", ")}.`;
  return { status: 404, body: { type: "error", error: { type: "not_found_error", message } } };
}

/** A bug in the simulator or in a script's function must not look like an error of the provider. */
function brokenSimulator(error: unknown): ErrorAnswer {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const code = CairnError.is(error) ? error.code : "simulator_error";
  return { status: 500, body: { type: "error", error: { type: code, message: `The simulator failed: ${message}` } } };
}

function errorMessage(body: string | JsonObject): string {
  if (typeof body === "string") return body;
  const { error } = body as { error?: { message?: string } };
  return error?.message ?? JSON.stringify(body);
}

function asObject(value: Json): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
