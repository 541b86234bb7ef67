/**
 * A block: one entry of a timeline, plain JSON with snake_case names. Its content never changes once it is stored;
 * what hides or shortens it is an overlay (see `overlay.ts`).
 */
import { CairnError } from "../error.ts";
import { isJsonObject, isTooDeep, type JsonObject } from "../json.ts";

/** The types the engine knows. Any other type is carried, persisted and rendered as plain text. */
export const BLOCK_TYPES = [
  "turn.header",
  "user.prompt",
  "user.attachment.meta",
  "user.attachment",
  "stage.gate",
  "stage.coordinator",
  "stage.feedback",
  "stage.clarification",
  "stage.clarification.resolved",
  "stage.suggested_followups",
  "agent.log.header",
  "react.plan",
  "react.plan.ack",
  "react.notes",
  "react.note",
  "react.thinking",
  "react.tool.code",
  "react.tool.call",
  "react.notice",
  "react.tool.result",
  "react.decision.raw",
  "react.completion",
  "react.state",
  "react.exit",
  "assistant.completion",
  "turn.feedback",
  "system.message",
  "conv.range.summary",
] as const;

export type KnownBlockType = (typeof BLOCK_TYPES)[number];

export interface Block {
  readonly type: KnownBlockType | (string & {});
  readonly author?: string;
  readonly turn_id?: string;
  /** ISO-8601 UTC. */
  readonly ts?: string;
  readonly mime?: string;
  readonly path?: string;
  readonly text?: string;
  readonly base64?: string;
  /** The call a block belongs to, in the oldest written form; `meta.tool_call_id` is written today. */
  readonly call_id?: string;
  readonly meta?: JsonObject;
  /** Fields this version does not know are carried. */
  readonly [field: string]: unknown;
}

export const BLOCK_STRING_FIELDS = ["author", "turn_id", "ts", "mime", "path", "text", "base64", "call_id"] as const;

/** Checks a block at the border. A field that is null counts as absent, as other writers spell it so. */
export function parseBlock(value: unknown, where = "block"): Block {
  if (!isJsonObject(value)) throw badBlock(where, "it is not an object");
  if (typeof value.type !== "string" || value.type === "") throw badBlock(where, "`type` must be a non-empty string");
  for (const field of BLOCK_STRING_FIELDS) {
    const content = value[field];
    if (content !== undefined && content !== null && typeof content !== "string")
      throw badBlock(where, `\`${field}\` must be a string`);
  }
  if (value.meta !== undefined && value.meta !== null && !isJsonObject(value.meta))
    throw badBlock(where, "`meta` must be an object");
  if (isTooDeep(value)) throw badBlock(where, "it is nested too deeply");
  return hasNullField(value) ? (withoutNullFields(value) as unknown as Block) : (value as unknown as Block);
}

function hasNullField(value: JsonObject): boolean {
  if (value.meta === null) return true;
  for (const field of BLOCK_STRING_FIELDS) if (value[field] === null) return true;
  return false;
}

function withoutNullFields(value: JsonObject): JsonObject {
  const known = new Set<string>([...BLOCK_STRING_FIELDS, "meta"]);
  return Object.fromEntries(Object.entries(value).filter(([key, content]) => content !== null || !known.has(key)));
}

function badBlock(where: string, problem: string): CairnError {
  return new CairnError("bad_block", `${where}: ${problem}. Send blocks as plain JSON objects.`, { where });
}
