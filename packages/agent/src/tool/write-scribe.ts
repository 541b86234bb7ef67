/**
 * The scribe: collects the blocks of a call and writes them to the timeline in order, notices before results.
 *
 * Every block gets the call's id, iteration and turn. A block that cannot be stored is rejected immediately, so
 * `finish` adds all blocks or none. The pool and overlays change before `finish`, because the results depend on them.
 */
import {
  type Block,
  type HideRequest,
  type HideResult,
  type JsonObject,
  kindOf,
  parseBlock,
  type SourceInput,
  type ToolError,
  type Visibility,
} from "@cairn/timeline";
import type { ContentFields, Scribe } from "./tool.ts";

/** The methods of a timeline that the scribe uses. */
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
  /** The visibility of the blocks of the call that state no visibility themselves. */
  readonly visibility?: Visibility | null | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface CallScribe {
  readonly scribe: Scribe;
  /** Writes the blocks to the timeline and returns the outcome. A call without a result gets an empty one. */
  finish(): "ok" | "error";
}

/** Maximum length of JSON that is parsed to find out whether it is an error. */
const MAX_ERROR_LENGTH = 60_000;

export function createScribe(options: ScribeOptions): CallScribe {
  const { timeline, turnId, callId, toolId, iteration } = options;
  const visibility = options.visibility ?? undefined;
  const notices: Block[] = [];
  let results: Block[] = [];
  let outcome: "ok" | "error" = "ok";

  const compose = (block: Block): Block =>
    parseBlock({
      author: "react",
      turn_id: turnId,
      ...block,
      meta: withoutUndefined({ tool_call_id: callId, iteration, visibility, ...block.meta }),
    });
  const add = (block: Block) => {
    results.push(compose(block));
  };
  const result = (text: string, mime: string, meta: JsonObject = {}) => {
    add({ type: "react.tool.result", path: `tc:${turnId}.${callId}.result`, mime, text, meta });
  };
  /** A digest names its artifact. A result without an artifact is only an error, with the tool and the time. */
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
    const isLong = JSON.stringify(shown).length > MAX_ERROR_LENGTH;
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
      if (!results.some((block) => kindOf(block.type).role === "result")) result('{"ok":true}', "application/json");
      timeline.contribute([...notices, ...results]);
      return outcome;
    },
  };
}

/** Removes fields with the value `undefined`, because JSON has no `undefined`. */
function withoutUndefined(meta: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(meta)) as JsonObject;
}
