/**
 * Shows a decision while the model writes it: its text, its thinking, the files and programs in its calls, and the
 * input of other calls. Followers get every piece at once, with citations as links or tokens. The shown text is saved
 * from time to time, for followers that connect later.
 */
import {
  CairnError,
  type CitationFormat,
  type CitationStream,
  createCitationStream,
  knownSources,
  rewritePath,
} from "@cairn/timeline";
import type { DecisionPiece } from "../../protocol/decision.ts";
import { StreamedParam } from "../../protocol/streamed-param.ts";
import { isRef, REF_PREFIX } from "../../tool/bind-refs.ts";
import type { AnyTool } from "../../tool/tool.ts";
import { mimeOfName } from "../../workspace/media.ts";
import { nameInput, nameStream, type StreamedCall, type StreamKind } from "../state/stream-name.ts";
import type { TurnContext } from "../state/turn-context.ts";
import type { LiveDecision } from "../state/turn-progress.ts";

/** Minimum time between two saves of an open stream. */
const KEEP_EVERY_MS = 300;
const NOT_KEPT = "The text that is being written could not be saved. Clients that join now see it when it is complete.";

type LiveContext = Pick<
  TurnContext,
  "agent" | "citations" | "ids" | "journal" | "listener" | "now" | "progress" | "registry" | "turnId"
>;

export class LiveText implements LiveDecision {
  readonly #context: LiveContext;
  readonly #base: string;
  readonly #said: string[] = [];
  readonly #calls = new Map<number, LiveCall>();
  readonly #inputs = new Map<number, { readonly callId: string; readonly stream: LiveStream }>();
  readonly #streams = new Map<StreamKind, LiveStream>();

  /** `base` begins the names of the request's streams, and is unique to the request. */
  constructor(context: LiveContext, base: string) {
    this.#context = context;
    this.#base = base;
  }

  get partial(): string {
    const written = [...this.#calls.values()].flatMap(({ written }) => written ?? []);
    return [this.#said.join("").trim(), ...written].filter((text) => text !== "").join("\n\n");
  }

  get ofCalls(): ReadonlyMap<number, string> {
    return new Map([...this.#calls].flatMap(([number, { name }]) => (name === null ? [] : [[number, name]])));
  }

  get callIds(): ReadonlyMap<number, string> {
    return new Map([...this.#inputs].map(([number, { callId }]) => [number, callId]));
  }

  take(piece: DecisionPiece): void {
    switch (piece.type) {
      case "say":
      case "thinking":
        if (piece.type === "say") this.#said.push(piece.text);
        this.#stream(piece.type).push(piece.text);
        break;
      case "call": {
        const tool = this.#context.registry.find(piece.name);
        if (tool?.streams === undefined) this.#calls.delete(piece.number);
        else this.#calls.set(piece.number, new LiveCall(this.#context, this.#base, piece.number, tool.streams));
        if (tool !== undefined && showsInput(tool, this.#context)) this.#openInput(piece.number, tool.id);
        break;
      }
      case "params":
        this.#calls.get(piece.number)?.push(piece.text);
        this.#inputs.get(piece.number)?.stream.push(piece.text);
    }
  }

  async end(): Promise<void> {
    for (const stream of this.#streams.values()) await stream.end();
    for (const call of this.#calls.values()) await call.end();
    for (const { stream } of this.#inputs.values()) await stream.end();
  }

  #openInput(number: number, toolId: string): void {
    if (this.#inputs.has(number)) return;
    const callId = this.#context.ids.call();
    const call = { call_id: callId, tool_id: toolId };
    const name = nameInput(this.#base, number, call);
    const stream = new LiveStream(this.#context, { name, kind: "input", path: null, format: null, call });
    this.#inputs.set(number, { callId, stream });
  }

  #stream(kind: "say" | "thinking"): LiveStream {
    const known = this.#streams.get(kind);
    if (known !== undefined) return known;
    const format = kind === "say" ? "markdown" : null;
    const stream = new LiveStream(this.#context, {
      name: nameStream(this.#base, kind, null),
      kind,
      path: null,
      format,
    });
    this.#streams.set(kind, stream);
    return stream;
  }
}

/**
 * The live text of one call. Its stream opens when the text begins and it is known that people may see the text.
 * Internal texts and references open no stream.
 */
class LiveCall {
  readonly #context: LiveContext;
  readonly #base: string;
  readonly #number: number;
  readonly #kind: "write" | "code";
  readonly #param: StreamedParam;
  readonly #shownFor: readonly string[] | null;
  #held: string | null = "";
  #stream: LiveStream | null = null;
  readonly #came: string[] = [];

  constructor(
    context: LiveContext,
    base: string,
    number: number,
    { param, kind, path, shownFor }: NonNullable<AnyTool["streams"]>,
  ) {
    this.#context = context;
    this.#base = base;
    this.#number = number;
    this.#kind = kind;
    this.#param = new StreamedParam(param, path, shownFor?.param);
    this.#shownFor = shownFor?.values ?? null;
  }

  get name(): string | null {
    return this.#stream?.name ?? null;
  }

  /** The part of a file's content that was written so far; null when people may not see it. */
  get written(): string | null {
    if (this.#stream === null || this.#kind !== "write") return null;
    const text = this.#came.join("").toWellFormed();
    return this.#stream.path === null ? text : `\`${this.#stream.path}\`:\n\n${text}`;
  }

  push(json: string): void {
    const text = this.#param.push(json);
    this.#came.push(text);
    if (this.#stream !== null) this.#stream.push(text);
    else if (this.#held !== null) this.#hold(this.#held + text);
  }

  /** Ends the text, and sends the part that was held back. */
  async end(): Promise<void> {
    if (this.#stream === null && this.#held && this.#mayShow()) this.#open(this.#held);
    await this.#stream?.end();
  }

  #hold(text: string): void {
    if (isRef(text)) this.#held = null;
    else if (REF_PREFIX.startsWith(text) || !this.#mayShow()) this.#held = text;
    else this.#open(text);
  }

  /** Whether people may see the text, as far as known: the parameter that decides it may come after the text. */
  #mayShow(): boolean {
    if (this.#shownFor === null || this.#param.isUnruled) return true;
    return this.#param.ruling !== null && this.#shownFor.includes(this.#param.ruling);
  }

  #open(text: string): void {
    const path = targetOf(this.#param.path, this.#context.turnId);
    const name = nameStream(this.#base, this.#kind, { number: this.#number, path });
    const format = this.#kind === "code" ? null : formatOf(path);
    this.#stream = new LiveStream(this.#context, { name, kind: this.#kind, path, format });
    this.#stream.push(text);
  }
}

/**
 * Whether the input may be shown before the call is checked. It may not if the check can change what people see:
 * built-in tools and tools with a `visibility` can be internal, and `shownParams` and hooks can change the shown
 * parameters.
 */
function showsInput(tool: AnyTool, { agent }: LiveContext): boolean {
  const isPlain = tool.visibility === undefined && tool.shownParams === undefined && tool.streams === undefined;
  return isPlain && tool.builtin !== true && agent.hooks?.beforeTool === undefined;
}

interface StreamOptions {
  readonly name: string;
  readonly kind: StreamKind;
  readonly path: string | null;
  /** How citations in the text are shown; null for text without citations. */
  readonly format: CitationFormat | null;
  /** The call whose input is streamed. */
  readonly call?: StreamedCall;
}

class LiveStream {
  readonly #context: LiveContext;
  readonly #options: StreamOptions;
  readonly #citations: CitationStream | null;
  /** The first half of a surrogate pair, which is held back until the second half arrives. */
  #half = "";
  #offset = 0;
  #unkept: string[] = [];
  #kept = 0;
  #keptAt: number;
  #keeping: Promise<void> = Promise.resolve();
  #canKeep = true;

  constructor(context: LiveContext, options: StreamOptions) {
    this.#context = context;
    this.#options = options;
    const { state } = context.journal.timeline;
    this.#citations =
      options.format === null || context.citations === "tokens"
        ? null
        : createCitationStream(
            knownSources((sid) => state.pool.get(sid), context.progress.sourcesKnown),
            options.format,
          );
    this.#keptAt = context.now();
  }

  get name(): string {
    return this.#options.name;
  }

  get path(): string | null {
    return this.#options.path;
  }

  push(piece: string): void {
    const text = this.#half + (this.#citations?.push(piece) ?? piece);
    const whole = /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
    this.#half = text.slice(whole.length);
    this.#show(whole);
    if (this.#context.now() - this.#keptAt >= KEEP_EVERY_MS) this.#keep();
  }

  async end(): Promise<void> {
    this.#show(this.#half + (this.#citations?.flush() ?? ""));
    this.#half = "";
    // The stream of a call ends when its file is stored, which takes time. The text of a decision is stored at once.
    if (this.#options.kind === "write") this.#keep();
    await this.#keeping;
  }

  #show(text: string): void {
    if (text === "") return;
    const { name: stream, kind, path, call } = this.#options;
    const where = { ...(path === null ? {} : { path }), ...call };
    this.#context.journal.noteStream(stream);
    this.#context.listener({ type: "delta", stream, kind, ...where, offset: this.#offset, text });
    this.#offset += text.length;
    this.#unkept.push(text);
  }

  #keep(): void {
    const text = this.#unkept.join("");
    this.#keptAt = this.#context.now();
    if (text === "" || !this.#canKeep) return;
    const offset = this.#kept;
    this.#kept += text.length;
    this.#unkept = [];
    // If a stream cannot be saved, the turn continues, because the block with the text is stored in any case.
    this.#keeping = this.#keeping
      .then(() => this.#context.journal.keepStream(this.name, offset, text))
      .catch((error: unknown) => {
        this.#canKeep = false;
        this.#context.listener({ type: "progress", callId: this.name, text: NOT_KEPT, error });
      });
  }
}

/** The logical path of a text; null for a call without a path, or with a path that will be rejected. */
function targetOf(path: string | null, turnId: string): string | null {
  if (path === null || isRef(path)) return null;
  try {
    return rewritePath(path, turnId).logical;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return null;
  }
}

/** Whether citations in this format become links. In data and code, they stay as written. */
function formatOf(path: string | null): CitationFormat | null {
  const mime = path === null ? "text/markdown" : mimeOfName(path);
  if (mime === "text/html") return "html";
  return mime === "text/markdown" || mime === "text/plain" ? "markdown" : null;
}
