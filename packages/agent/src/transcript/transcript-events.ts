/**
 * Converts a transcript to a journal: the events that its turns would have written if they had run in Cairn. Every call
 * gets an outcome. No call runs and no model is asked, so there are no receipts.
 */
import { createHash } from "node:crypto";
import type { ConversationKey } from "@cairn/store";
import {
  type BlobRef,
  type Block,
  type CountTokens,
  type Ids,
  type Json,
  kindOf,
  Timeline,
  type TimelineEvent,
} from "@cairn/timeline";
import { titleOfPrompt } from "../gate/title.ts";
import { type CallRun, failRun, outsideRun } from "../tool/run-call.ts";
import type { Scribe } from "../tool/tool.ts";
import { createScribe } from "../tool/write-scribe.ts";
import { completionBlock } from "../turn/close/finish-turn.ts";
import { type ArrivedAttachment, inspectContent } from "../turn/input/arrived-attachment.ts";
import { AttachmentNames, attachmentBlocks } from "../turn/input/attachment-blocks.ts";
import { promptBlock } from "../turn/input/take-inputs.ts";
import { cutThinking } from "../turn/state/thinking-block.ts";
import { hostingFields } from "../workspace/hosting-fields.ts";
import type { Transcript, TranscriptCall, TranscriptFile, TranscriptStep, TranscriptTurn } from "./transcript.ts";

export interface TranscriptOptions {
  readonly key: ConversationKey;
  readonly ids: Ids;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly countTokens: CountTokens;
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time. It may wait, so that a long transcript does not delay other users. */
  readonly pause: () => Promise<void>;
}

export interface TranscriptEvents {
  readonly events: readonly TimelineEvent[];
  /** The content of attachments and results, to which the events refer by hash. */
  readonly blobs: ReadonlyMap<BlobRef, Uint8Array>;
}

export async function transcriptEvents({ turns }: Transcript, options: TranscriptOptions): Promise<TranscriptEvents> {
  const timeline = Timeline.create({ clock: { now: options.now }, countTokens: options.countTokens });
  const blobs = new Map<BlobRef, Uint8Array>();
  const turnIds = new Set<string>();
  for (const turn of turns) {
    const turnId = freeId(turnIds, options.ids);
    turnIds.add(turnId);
    await new TurnWriter(timeline, blobs, turnId, options).write(turn);
  }
  return { events: timeline.takeEvents(), blobs };
}

/** Number of calls that are written between two pauses. */
const CALLS_AT_ONCE = 100;

/** The result of a call for which the transcript has no result. */
const MISSING = failRun("result_missing", "The conversation was imported without the result of this call.");

class TurnWriter {
  readonly #timeline: Timeline;
  readonly #blobs: Map<BlobRef, Uint8Array>;
  readonly #options: TranscriptOptions;
  readonly #turnId: string;
  readonly #names: AttachmentNames;

  constructor(timeline: Timeline, blobs: Map<BlobRef, Uint8Array>, turnId: string, options: TranscriptOptions) {
    this.#timeline = timeline;
    this.#blobs = blobs;
    this.#options = options;
    this.#turnId = turnId;
    this.#names = new AttachmentNames(this.#turnId, []);
  }

  async write({ prompts, steps }: TranscriptTurn): Promise<void> {
    const timeline = this.#timeline;
    timeline.openTurn(this.#turnId);
    const subject = prompts.find(({ text }) => text.trim() !== "")?.text;
    if (timeline.state.meta.conversation_title === null && subject !== undefined)
      timeline.giveTitle(`${this.#turnId}.prompt`, titleOfPrompt(subject), null);
    const taken: string[] = [];
    for (const [at, { text, files }] of prompts.entries()) {
      const attachments = await Promise.all(files.map((file) => this.#keep(file)));
      const { blocks, sources } = attachmentBlocks(this.#options.key, this.#turnId, attachments, taken);
      taken.push(...blocks.flatMap(({ type, path }) => (kindOf(type).attachment === "content" && path ? [path] : [])));
      timeline.contribute([promptBlock(this.#turnId, { message: text }, at + 1), ...blocks]);
      timeline.mergeSources(sources);
      await this.#pause();
    }
    for (const [at, step] of steps.entries()) {
      await this.#step(step, at + 1, at === steps.length - 1);
      await this.#pause();
    }
    const last = steps.at(-1);
    const exit = last !== undefined && last.calls.length === 0 ? "complete" : "cancelled";
    const common = { turn_id: this.#turnId, mime: "application/json" };
    timeline.contribute([{ ...common, type: "react.exit", text: JSON.stringify({ exit }) }]);
    timeline.closeTurn(exit);
  }

  /** Text before calls becomes notes. The text of the last step becomes the answer. */
  async #step({ thoughts, text, calls }: TranscriptStep, iteration: number, isLast: boolean): Promise<void> {
    const planned = calls.map((call) => ({ ...call, id: this.#options.ids.call() }));
    const [first] = planned;
    const meta = { iteration, ...(first === undefined ? {} : { tool_call_id: first.id }) };
    const said = { author: "react", turn_id: this.#turnId, meta };
    const blocks: Block[] = [];
    if (thoughts.trim() !== "")
      blocks.push({ ...said, type: "react.thinking", mime: "text/plain", text: cutThinking(thoughts.trim()) });
    if (first === undefined && isLast) {
      if (text !== "") blocks.push(completionBlock(this.#turnId, text));
    } else if (text !== "") {
      const path = first === undefined ? {} : { path: `ar:${this.#turnId}.react.notes.${first.id}` };
      const shown = { ...said, meta: { ...meta, channel: "timeline_text" } };
      blocks.push({ ...shown, ...path, type: "react.notes", mime: "text/markdown", text });
    }
    this.#timeline.contribute(blocks);
    for (const [at, { id, name, input }] of planned.entries()) {
      this.#start(id, name, input, iteration);
      if (at % CALLS_AT_ONCE === CALLS_AT_ONCE - 1) await this.#pause();
    }
    for (const [at, { id, ...call }] of planned.entries()) {
      await this.#settle(id, call, iteration);
      if (at % CALLS_AT_ONCE === CALLS_AT_ONCE - 1) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await this.#options.pause();
    this.#options.signal?.throwIfAborted();
  }

  #start(callId: string, toolId: string, params: Json, iteration: number): void {
    const ts = this.#timestamp();
    const text = JSON.stringify({ tool_id: toolId, tool_call_id: callId, params, ts });
    const path = `tc:${this.#turnId}.${callId}.call`;
    const block = { author: "react", turn_id: this.#turnId, mime: "application/json" };
    const meta = { tool_call_id: callId, iteration };
    this.#timeline.contribute([{ ...block, type: "react.tool.call", path, text, meta }]);
    this.#timeline.record("call.started", { turn_id: this.#turnId, call_id: callId, tool_id: toolId, params, ts });
  }

  async #settle(callId: string, { name, result }: TranscriptCall, iteration: number): Promise<void> {
    const files = [];
    for (const file of result?.files ?? []) files.push(await this.#keep(file));
    const { now } = this.#options;
    const place = { turnId: this.#turnId, callId, toolId: name, iteration, now };
    const { scribe, finish } = createScribe({ timeline: this.#timeline, ...place });
    const isOnlyFiles = files.length > 0 && result?.output === "";
    if (!isOnlyFiles) runOf(result).settle(scribe);
    for (const file of files) this.#writeFile(scribe, callId, file);
    const outcome = finish();
    this.#timeline.record("call.settled", { call_id: callId, outcome, ts: this.#timestamp() });
  }

  /** A file in the result of a call, in the form that tools write. */
  #writeFile(scribe: Scribe, tool_call_id: string, { name: given, blob, ...file }: ArrivedAttachment): void {
    const name = this.#names.choose(given);
    const path = `fi:${this.#turnId}.files/${name}`;
    const physical_path = `${this.#turnId}/files/${name}`;
    const { mime, size_bytes } = file;
    const described = { artifact_path: path, physical_path, mime, kind: "file", visibility: "external", size_bytes };
    scribe.digest(described);
    const hosting = hostingFields(this.#options.key, physical_path);
    const digest = { ...described, tool_call_id };
    const meta = { ...file.measures, ...hosting, blob, physical_path, digest };
    scribe.content(path, { mime: file.blockMime, meta });
  }

  async #keep({ name, mime, bytes }: TranscriptFile): Promise<ArrivedAttachment> {
    const blob: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    this.#blobs.set(blob, bytes);
    const signal = this.#options.signal ?? new AbortController().signal;
    return inspectContent({ name, mime, size_bytes: bytes.length, blob }, bytes, signal);
  }

  #timestamp(): string {
    return new Date(this.#options.now()).toISOString();
  }
}

/** The turns of an import begin in the same millisecond, so their ids may collide. */
function freeId(taken: ReadonlySet<string>, ids: Ids): string {
  for (;;) {
    const id = ids.turn();
    if (!taken.has(id)) return id;
  }
}

function runOf(result: TranscriptCall["result"]): CallRun {
  if (result === null) return MISSING;
  const { output, isError } = result;
  if (!isError) return outsideRun(output);
  return failRun("tool_error", typeof output === "string" ? output : JSON.stringify(output));
}
