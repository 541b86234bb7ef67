/**
 * Requests that a provider rejects, or that would only waste money. The simulator accepts neither. It checks the wire
 * blocks and the body that was sent.
 */
import {
  CairnError,
  type Json,
  type JsonObject,
  PROVIDERS,
  type ProviderRules,
  type WireRequest,
} from "@cairn/timeline";
import type { TimedRequest } from "./timed-request.ts";

/** Throws `request_refused`, with the rule that was broken in `details.rule`. */
export function refuseInvalid({ blocks, breakpoints }: TimedRequest, rules: ProviderRules): void {
  if (breakpoints.length > rules.maxBreakpoints)
    throw refused(
      "too_many_breakpoints",
      `it has ${breakpoints.length} breakpoints; at most ${rules.maxBreakpoints} are taken`,
    );
  let shorter = false;
  let last = -1;
  for (const { i, ttl } of breakpoints) {
    const block = blocks[i];
    if (block === undefined || i <= last)
      throw refused("bad_breakpoint", `the breakpoint at block ${i} names no block or is out of order`);
    if (block.kind === "tail")
      throw refused("breakpoint_on_tail", "a breakpoint is on the tail, which changes with every request");
    if (block.tokens === 0) throw refused("breakpoint_on_empty", `block ${i} is empty`);
    if (ttl === "1h" && shorter) throw refused("ttl_order", "a breakpoint of 1 h comes after one of 5 min");
    shorter ||= ttl === "5m";
    last = i;
  }
}

/** Throws `request_refused` for a body that the provider would reject. */
export function refuseBody({ provider, body, breakpoints }: WireRequest): void {
  const { maxBreakpoints } = PROVIDERS[provider];
  let shorter = false;
  let markers = 0;
  for (const part of partsOf(body)) {
    const text = textOf(part);
    const ttl = ttlOf(part);
    if (text !== undefined && !/\S/.test(text)) throw refused("empty_text", "a text has no visible character");
    if (text?.isWellFormed() === false) throw refused("bad_text", "a text has half of a surrogate pair");
    if (ttl === undefined) continue;
    markers++;
    if (ttl === "1h" && shorter) throw refused("ttl_order", "a marker of 1 h comes after one of 5 min");
    shorter ||= ttl === "5m";
  }
  if (markers > maxBreakpoints)
    throw refused("too_many_breakpoints", `the body has ${markers} cache markers; at most ${maxBreakpoints} are taken`);
  if (markers !== breakpoints.length)
    throw refused("markers_differ", `the body has ${markers} cache markers, but ${breakpoints.length} were planned`);
}

/** All parts of a body that may hold text or a marker, in the order of the prefix. */
function partsOf(body: JsonObject): JsonObject[] {
  const tools = objects(body.tools).concat(objects(asObject(body.toolConfig).tools));
  const messages = objects(body.messages).concat(objects(body.input));
  const inMessages = messages.flatMap((message) => [...objects(message.content), ...objects(message.output)]);
  return [...tools, ...objects(body.system), ...inMessages];
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function textOf(part: JsonObject): string | undefined {
  return typeof part.text === "string" ? part.text : undefined;
}

function ttlOf(part: JsonObject): string | undefined {
  if (part.prompt_cache_breakpoint !== undefined) return "30m";
  const marker = part.cache_control ?? part.cachePoint;
  if (marker === undefined) return undefined;
  const { ttl } = asObject(marker);
  return typeof ttl === "string" ? ttl : "5m";
}

function refused(rule: string, what: string): CairnError {
  return new CairnError("request_refused", `The provider would refuse this request: ${what}.`, { rule });
}
