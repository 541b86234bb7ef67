/**
 * The blocks each tool leaves on a timeline, as a turn would write them. Small factories: tests, benchmarks and the
 * generators build conversations from them.
 */
import type { Block } from "@cairn/timeline";

/** The value of every hosting field that the factories write; it must never be rendered. */
export const HOSTING_SECRET = "hosting-secret-7f3a";

export interface CallContext {
  readonly turn: string;
  readonly call: string;
  readonly iteration?: number;
}

const hosting = {
  hosted_uri: `s3://bucket/${HOSTING_SECRET}`,
  rn: `rn:${HOSTING_SECRET}`,
  key: `key/${HOSTING_SECRET}`,
};

export function blockOf(at: CallContext, type: string, path: string, fields: Partial<Block>): Block {
  const { meta, ...rest } = fields;
  const iteration = at.iteration === undefined ? {} : { iteration: at.iteration };
  return { type, turn_id: at.turn, path, ...rest, meta: { tool_call_id: at.call, ...iteration, ...meta } };
}

export function notes(at: CallContext, text: string): Block {
  const path = `ar:${at.turn}.react.notes.${at.call}`;
  return blockOf(at, "react.notes", path, { author: "react", text, meta: { channel: "timeline_text" } });
}

export function code(at: CallContext, text: string): Block {
  return blockOf(at, "react.tool.code", `fi:${at.turn}.code.${at.call}`, { text });
}

export function call(at: CallContext, toolId: string, params: object): Block {
  const text = JSON.stringify({ tool_id: toolId, tool_call_id: at.call, params, ts: "2026-02-09T02:14:33Z" });
  return blockOf(at, "react.tool.call", `tc:${at.turn}.${at.call}.call`, { mime: "application/json", text });
}

export function notice(at: CallContext, code: string, message: string): Block {
  const text = JSON.stringify({ code, message });
  return blockOf(at, "react.notice", `tc:${at.turn}.${at.call}.notice`, { mime: "application/json", text });
}

export function result(at: CallContext, text: string, mime = "application/json"): Block {
  return blockOf(at, "react.tool.result", `tc:${at.turn}.${at.call}.result`, { mime, text });
}

export function digest(at: CallContext, fields: object): Block {
  return result(at, JSON.stringify({ ...fields, tool_call_id: at.call }));
}

export interface FileFields {
  readonly name: string;
  readonly mime: string;
  readonly kind?: "file" | "display";
  readonly visibility?: "external" | "internal";
  readonly text?: string;
  readonly base64?: string;
  readonly extra?: object;
}

/** The digest of a file and its content block, hosted unless it is internal. */
export function file(at: CallContext, fields: FileFields): Block[] {
  const { name, mime, kind = "file", visibility = "external", text, base64, extra } = fields;
  const path = `fi:${at.turn}.files/${name}`;
  const physical_path = `${at.turn}/files/${name}`;
  const described = { artifact_path: path, physical_path, mime, kind, visibility, ...extra };
  const content = { ...(text === undefined ? {} : { text }), ...(base64 === undefined ? {} : { base64 }) };
  const hosted = visibility === "external" ? hosting : {};
  return [
    digest(at, described),
    blockOf(at, "react.tool.result", path, {
      mime,
      ...content,
      meta: { ...hosted, physical_path, digest: { ...described, tool_call_id: at.call } },
    }),
  ];
}

export function search(at: CallContext, query: string, sids: readonly number[], selector: string): Block[] {
  const rows = sids.map((sid) => ({ sid, title: `Result ${sid}`, url: `https://example.com/${sid}` }));
  const path = `so:sources_pool[${selector}]`;
  return [
    call(at, "web_tools.web_search", { queries: [query], n: sids.length }),
    digest(at, { artifact_path: path, mime: "application/json", kind: "file", visibility: "internal" }),
    blockOf(at, "react.tool.result", path, { mime: "application/json", text: JSON.stringify(rows) }),
  ];
}

export interface AttachmentFields {
  readonly name: string;
  readonly mime: string;
  readonly summary?: string;
  readonly base64?: string;
  readonly size_bytes?: number;
}

/** An attachment when it arrives: its description, and its stored block, with bytes for pictures and PDFs only. */
export function attachment(turn: string, fields: AttachmentFields): Block[] {
  const { name, mime, base64, ...rest } = fields;
  const path = `fi:${turn}.user.attachments/${name}`;
  const physical_path = `${turn}/attachments/${name}`;
  const described = { artifact_path: path, physical_path, mime, kind: "file", visibility: "external", ...rest };
  return [
    {
      type: "user.attachment.meta",
      author: "user",
      turn_id: turn,
      path,
      mime: "application/json",
      text: JSON.stringify(described),
    },
    {
      type: "user.attachment",
      author: "user",
      turn_id: turn,
      path,
      mime,
      ...(base64 === undefined ? {} : { base64 }),
      meta: { ...hosting, physical_path, digest: described },
    },
  ];
}

export function header(turn: string, ts = "2026-02-09T02:14:32.676425Z"): Block {
  return { type: "turn.header", author: "system", turn_id: turn, ts };
}

export function prompt(turn: string, text: string, nth = 1): Block {
  const path = `ar:${turn}.user.prompt${nth === 1 ? "" : `.${nth}`}`;
  return { type: "user.prompt", author: "user", turn_id: turn, path, mime: "text/markdown", text };
}

export function completion(turn: string, text: string, sources: readonly number[] = []): Block {
  const meta = sources.length === 0 ? {} : { meta: { sources_used: sources } };
  const path = `ar:${turn}.assistant.completion`;
  return {
    type: "assistant.completion",
    author: "assistant",
    turn_id: turn,
    path,
    mime: "text/markdown",
    text,
    ...meta,
  };
}

export function followups(turn: string, items: readonly string[]): Block {
  return {
    type: "stage.suggested_followups",
    turn_id: turn,
    path: `ar:${turn}.stage.suggested_followups`,
    text: JSON.stringify(items),
  };
}
