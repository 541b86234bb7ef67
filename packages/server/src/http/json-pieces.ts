/** Writes JSON in pieces. As one string, an answer of 64 MB would delay requests and take three times the memory. */
import { setImmediate as yieldToOthers } from "node:timers/promises";

/** Approximate number of characters that are written at a time. */
const PIECE_CHARS = 1_000_000;

export function isLarge(value: unknown): boolean {
  return charsUpTo(value, PIECE_CHARS) >= PIECE_CHARS;
}

/** The bytes of `JSON.stringify(value)`. Other work of the process runs between pieces. */
export async function* jsonBytes(value: unknown): AsyncGenerator<Uint8Array> {
  let [parts, chars]: [string[], number] = [[], 0];
  for (const part of jsonPieces(value)) {
    parts.push(part);
    chars += part.length;
    if (chars < PIECE_CHARS) continue;
    yield Buffer.from(parts.join(""));
    [parts, chars] = [[], 0];
    await yieldToOthers();
  }
  yield Buffer.from(parts.join(""));
}

function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || !isLarge(value)) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* jsonPieces(each);
    }
    yield "]";
  } else {
    let before = "{";
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonPieces(each);
      before = ",";
    }
    yield "}";
  }
}

/** Counts the characters of all strings and names in a value, and stops at `most`. */
function charsUpTo(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let chars = 1;
  for (const [name, each] of Object.entries(value)) {
    chars += name.length + charsUpTo(each, most - chars);
    if (chars >= most) break;
  }
  return chars;
}
