/**
 * The scribe: collects what a call leaves on the timeline and puts it there in order, notices before results.
 *
 * Every block gets the call's id, iteration and turn. A block that cannot be stored is refused when it is written, so
 * that `finish` adds all of them or none. The pool and overlays change at once: their answers are part of the results.
 */
import {
  type Block,
  type HideRequest,
  type HideResult,
  type JsonObject,
  parseBlock,
  type SourceInput,
  type ToolError,
} from "@cairn/timeline";
import type { ContentFields, Scribe } from "./tool.ts";

/** What the scribe needs of a timeline. */
interface TimelineWriter {
  contribute(blocks: readonly Block[]): void;
  mergeSources(rows: readonly SourceInput[]): number[];
  hide(request: HideRequest): HideResult;
}

export interface ScribeOptions {
  readonly timeline: TimelineWriter;
  readonly turnId: string;
  readonly callId: string;
  readonly toolId: string;
  /** The decision the call belongs to. */
  readonly iteration: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface CallScribe {
  readonly scribe: Scribe;
  /** Puts the blocks on the timeline and says how the call went. A call that left no result gets an empty one. */
  finish(): "ok" | "error";
}

/** Longer JSON is not read back as an error. */
const LONGEST_ERROR = 60_000;

export function createScribe(options: ScribeOptions): CallScribe {
  const { timeline, turnId, callId, toolId, iteration } = options;
  const notices: Block[] = [];
  let results: Block[] = [];
  let outcome: "ok" | "error" = "ok";

  const compose = (block: Block): Block =>
    parseBlock({
      author: "react",
      turn_id: turnId,
      ...block,
      meta: withoutUndefined({ tool_call_id: callId, iteration, ...block.meta }),
    });
  const add = (block: Block) => {
    results.push(compose(block));
  };
  const result = (text: string, mime: string) => {
    add({ type: "react.tool.result", path: `tc:${turnId}.${callId}.result`, mime, text });
  };
  /** A digest names its artifact; without one it is a bare error, and says which tool it is of and when. */
  const digest = (fields: Readonly<Record<string, unknown>>) => {
    if (fields.error !== undefined && fields.error !== null) outcome = "error";
    const described =
      fields.artifact_path === undefined
        ? { tool_id: toolId, tool_call_id: callId, ...fields, ts: new Date(options.now()).toISOString() }
        : { ...fields, tool_call_id: callId };
    result(JSON.stringify(described), "application/json");
  };
  const fail = (error: ToolError) => {
    results = [];
    const { managed: _, ...shown } = error;
    const isLong = JSON.stringify(shown).length > LONGEST_ERROR;
    digest({ error: isLong ? { code: error.code.slice(0, 200), message: error.message.slice(0, 4_000) } : shown });
  };

  const scribe: Scribe = {
    notice: (code, message, data) => {
      const text = JSON.stringify({ code, message, ...data });
      notices.push(
        compose({ type: "react.notice", path: `tc:${turnId}.${callId}.notice`, mime: "application/json", text }),
      );
    },
    result,
    digest,
    content: (path, { mime, text, base64, meta }: ContentFields) => {
      const content = { ...(text === undefined ? {} : { text }), ...(base64 === undefined ? {} : { base64 }) };
      add({ type: "react.tool.result", path, mime, ...content, ...(meta === undefined ? {} : { meta }) });
    },
    block: add,
    mergeSources: (rows) => timeline.mergeSources(rows),
    hide: (request) => timeline.hide(request),
    fail,
  };

  return {
    scribe,
    finish: () => {
      if (!results.some((block) => block.type === "react.tool.result")) result('{"ok":true}', "application/json");
      timeline.contribute([...notices, ...results]);
      return outcome;
    },
  };
}

/** As it will be read back: JSON knows no undefined. */
function withoutUndefined(meta: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(meta)) as JsonObject;
}
