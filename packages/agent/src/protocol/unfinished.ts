/**
 * An incomplete answer: the provider reached the limit of output tokens, or paused the answer. The text so far, or the
 * parameters of the unfinished call, are stored. Then the model is asked for the rest.
 *
 * The rest of a text is text. The rest of a call's parameters comes as text too, because no provider continues a call;
 * if the model repeats the call instead, the new call replaces the unfinished one.
 */
import { type Block, kindOf } from "@cairn/timeline";
import type { ModelPart } from "../model/model.ts";
import type { RawCall, RawDecision } from "./decision.ts";
import { JsonRest } from "./json-rest.ts";
import { anchorOf, Seam } from "./seam.ts";

export interface Unfinished {
  readonly text: string;
  /** Whether the last call is unfinished. If there are no calls, the text is unfinished. */
  readonly calls: readonly RawCall[];
  /** Number of requests that contributed to the answer so far. */
  readonly parts: number;
}

/** What a decision lacks; null when the decision is complete, or cannot be continued. */
export function unfinishedOf({ reason, text, calls: made }: RawDecision, parts: number): Unfinished | null {
  if (reason !== "length" && reason !== "pause") return null;
  const calls = made.map(({ name, params }) => ({ name, params }));
  const last = calls.at(-1);
  if (last === undefined) return text.trim() === "" ? null : { text, calls: [], parts };
  return isWhole(last) ? null : { text, calls, parts };
}

/** Whether the last call of an answer has all of its parameters. */
export function isWhole({ params }: RawCall): boolean {
  try {
    JSON.parse(params);
    return true;
  } catch {
    return false; // The JSON of the call is incomplete, so the model is asked for the rest.
  }
}

/** The instruction to the model, after the answer so far. */
export function askForRest({ text, calls }: Unfinished): string {
  const call = calls.at(-1);
  const anchor = JSON.stringify(anchorOf(call?.params ?? text));
  if (call === undefined)
    return `Your answer to the user was cut off. It is shown above as far as it came. Write the rest and nothing else: begin with its last words, ${anchor}, and go on from there.`;
  return call.params === ""
    ? `Your decision was cut off before the parameters of ${call.name}. Make that call now.`
    : `Your call of ${call.name} was cut off. It is shown above as far as it came. Write the rest of its parameters as plain text, as JSON and nothing else: begin with the last characters, ${anchor}, and go on from there.`;
}

/** The parts of the answer so far. */
export function* partsOf({ text, calls }: Unfinished): Generator<ModelPart> {
  if (text !== "") yield { type: "text", text };
  for (const [index, { name, params }] of calls.entries()) {
    yield { type: "call", index, name };
    yield { type: "params", index, text: params };
  }
}

/** The parts of the rest, converted to follow the earlier ones. Invalid parts are passed on; the reader drops them. */
export async function* restOf(unfinished: Unfinished, parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  const rest = unfinished.calls.length === 0 ? new RestOfText(unfinished) : new RestOfCall(unfinished);
  let offset: number | null = null;
  for await (const part of parts as AsyncIterable<ModelPart | null>) {
    if (part?.type === "text" && typeof part.text === "string") yield* rest.text(part.text);
    else if (part?.type === "call" || part?.type === "params") {
      if (offset === null) yield* rest.end();
      offset ??= rest.nextCall;
      yield typeof part.index === "number" ? { ...part, index: part.index + offset } : part;
    } else if (part?.type === "finish") {
      yield* rest.end();
      yield part;
    } else if (part !== null) yield part;
  }
  yield* rest.end();
}

interface Rest {
  text(piece: string): Iterable<ModelPart>;
  /** Passes on text that was held back. Can be called more than once. */
  end(): Iterable<ModelPart>;
  /** Index of the next call the model makes. */
  readonly nextCall: number;
}

class RestOfText implements Rest {
  readonly nextCall = 0;
  readonly #seam: Seam;

  constructor({ text }: Unfinished) {
    this.#seam = new Seam(text);
  }

  *text(piece: string): Generator<ModelPart> {
    const text = this.#seam.push(piece);
    if (text !== "") yield { type: "text", text };
  }

  *end(): Generator<ModelPart> {
    const text = this.#seam.end();
    if (text !== "") yield { type: "text", text };
  }
}

class RestOfCall implements Rest {
  readonly #index: number;
  readonly #seam: Seam;
  readonly #json: JsonRest;

  constructor({ calls }: Unfinished) {
    this.#index = calls.length - 1;
    const { params = "" } = calls.at(-1) ?? {};
    this.#seam = new Seam(params, { mayBeFenced: true });
    this.#json = new JsonRest(params);
  }

  /** After a completed call the next index is one higher; an unfinished call is repeated under its own index. */
  get nextCall(): number {
    return this.#json.isOver ? this.#index + 1 : this.#index;
  }

  *text(piece: string): Generator<ModelPart> {
    yield* this.#pass(this.#seam.push(piece));
  }

  *end(): Generator<ModelPart> {
    yield* this.#pass(this.#seam.end());
  }

  *#pass(piece: string): Generator<ModelPart> {
    const text = this.#json.push(piece);
    if (text !== "") yield { type: "params", index: this.#index, text };
  }
}

/**
 * The block that stores an unfinished answer. It is not part of the stable view. As the last block of the timeline it
 * is shown in the tail as plain text, to which the request for the rest refers.
 */
export function unfinishedBlock(turnId: string, { text, calls, parts }: Unfinished): Block {
  const meta = { parts, said: text.length, calls: calls.map(({ name, params }) => ({ name, length: params.length })) };
  return {
    type: "react.decision.raw",
    author: "react",
    turn_id: turnId,
    mime: "text/plain",
    text: [text, ...calls.map(({ name, params }) => `${HEAD}${name}${BODY}${params}`)].join(""),
    meta: { unfinished: meta },
  };
}

const HEAD = "\n\ncall ";
const BODY = "\n";

/** Reads the unfinished answer that a block holds; null for any other block. */
export function readUnfinished({ type, text = "", meta }: Block): Unfinished | null {
  const kept = kindOf(type).role === "raw_decision" ? meta?.unfinished : undefined;
  if (typeof kept !== "object" || kept === null) return null;
  const { parts, said, calls: given } = kept as Readonly<Record<string, unknown>>;
  if (typeof parts !== "number" || typeof said !== "number" || !Array.isArray(given)) return null;
  const calls: RawCall[] = [];
  let at = said;
  for (const { name, length } of given as readonly { name: string; length: number }[]) {
    at += HEAD.length + name.length + BODY.length;
    calls.push({ name, params: text.slice(at, at + length) });
    at += length;
  }
  return { text: text.slice(0, said), calls, parts };
}
