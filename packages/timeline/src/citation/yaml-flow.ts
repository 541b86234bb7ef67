/**
 * Reads one YAML flow collection (`[…]` or `{…}`, over any number of lines), which is JSON with plain words allowed.
 *
 * Every scalar is returned as the string that is written; escapes in quoted ones are not decoded. An entry `a: b`
 * inside a list is passed over. A collection that is not closed, or is closed wrongly, gives null. A document, its list
 * of citations, one citation and its sids are four levels: deeper values are skipped and returned as null. Depth costs
 * heap, never call stack, and each character is read once.
 */
import type { Json } from "../base/json.ts";

export interface FlowNode {
  readonly value: Json;
  /** Index just after the closing bracket. */
  readonly end: number;
}

const MAX_DEPTH = 4;

interface Frame {
  readonly isList: boolean;
  /** A list's items or a mapping's entries, null when too deep. Mappings have no prototype, so any key is safe. */
  readonly node: Json[] | Record<string, Json> | null;
  key: string | null;
  pending: Json | undefined;
}

/** Reads a list or map in brackets. `start` is the index of the opening bracket. */
export function readFlow(text: string, start: number): FlowNode | null {
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    let node: Json | undefined;
    if (character === "[" || character === "{") {
      if (frame?.pending !== undefined) return null;
      frame = openFrame(character === "[", open.length);
      open.push(frame);
      at++;
    } else if (frame === undefined) {
      return null;
    } else if (character === "]" || character === "}") {
      if ((character === "]") !== frame.isList) return null;
      endEntry(frame);
      node = frame.node;
      open.pop();
      frame = open.at(-1);
      at++;
      if (frame === undefined) return { value: node, end: at };
    } else if (character === ",") {
      endEntry(frame);
      at++;
    } else if (character === ":") {
      // In a list the key of a single pair is kept only to show that the entry is not a plain item.
      frame.key = typeof frame.pending === "string" ? frame.pending : "";
      frame.pending = undefined;
      at++;
    } else if (character === '"' || character === "'") {
      const end = endOfQuoted(text, at, character);
      if (end < 0) return null;
      node = text.slice(at + 1, end - 1);
      at = end;
    } else {
      const end = endOfPlain(text, at);
      if (end === at) return null;
      node = text.slice(at, end).trimEnd();
      at = end;
    }
    if (node !== undefined && frame !== undefined) {
      if (frame.pending !== undefined) return null;
      frame.pending = node;
    }
    at = skipSpace(text, at);
  }
  return null;
}

function openFrame(isList: boolean, depth: number): Frame {
  const node = depth >= MAX_DEPTH ? null : isList ? [] : Object.create(null);
  return { isList, node, key: null, pending: undefined };
}

function endEntry(frame: Frame): void {
  const { node, key, pending } = frame;
  if (Array.isArray(node)) {
    if (key === null && pending !== undefined) node.push(pending);
  } else if (node !== null && key !== null) {
    node[key] = pending ?? null;
  }
  frame.key = null;
  frame.pending = undefined;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "#" && isSpace(text.charAt(at - 1))) at = endOfLine(text, at);
    else if (!isSpace(character)) break;
  }
  return Math.min(at, text.length);
}

/** End of a plain word. A colon or a hash inside a word belongs to it: `a:b`, `C#`. */
function endOfPlain(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (isIndicator(character)) break;
    if (character === "#" && isSpace(text.charAt(at - 1))) break;
    if (character === ":") {
      const next = text.charAt(at + 1);
      if (next === "" || isSpace(next) || isIndicator(next)) break;
    }
  }
  return at;
}

function isIndicator(character: string): boolean {
  return character === "," || character === "[" || character === "]" || character === "{" || character === "}";
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Index just after the closing quote, or -1. `start` is at the opening quote. */
export function endOfQuoted(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && quote === '"') at++;
    else if (character === quote) {
      if (quote === '"' || text.charAt(at + 1) !== "'") return at + 1;
      at++;
    }
  }
  return -1;
}
