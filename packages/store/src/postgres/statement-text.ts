/**
 * Converts the store's statements to PostgreSQL's syntax: `?` becomes `$1`, `$2`, …, or the value itself when several
 * statements are sent together, which the protocol allows only without parameters.
 *
 * PostgreSQL's text cannot contain U+0000. This character is written as U+FFFF and `0000`, and U+FFFF itself twice, so
 * that every string has a unique encoding and is read back unchanged.
 */
import type { SqlValue, Statement } from "../sql/work.ts";
import { escapeLiteral } from "./connections.ts";

const MARK = "\uFFFF";
const numbered = new Map<string, string>();

export function numberedText(sql: string): string {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  let nth = 0;
  const text = sql.replaceAll("?", () => `$${++nth}`);
  numbered.set(sql, text);
  return text;
}

export function encodeValue(value: SqlValue): SqlValue {
  return typeof value === "string" ? encodeText(value) : value;
}

function encodeText(text: string): string {
  if (!text.includes("\0") && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, MARK + MARK).replaceAll("\0", `${MARK}0000`);
}

export function decodeText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replace(/\uFFFF(\uFFFF|0000)/g, (_, escaped: string) => (escaped === MARK ? MARK : "\0"));
}

/** The statement with its values inlined, each quoted by the driver's own rules. */
export function inlineValues({ sql, values }: Statement): string {
  let nth = 0;
  return sql.replaceAll("?", () => literalOf(values[nth++] ?? null));
}

function literalOf(value: SqlValue): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return escapeLiteral(encodeText(value));
  if (typeof value === "object")
    return `'\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex")}'`;
  if (!Number.isFinite(value)) throw new RangeError("NaN and infinite numbers cannot be stored.");
  // The value is in parentheses, so that a minus sign never follows another operator directly.
  return `(${value})`;
}
