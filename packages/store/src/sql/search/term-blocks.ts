/**
 * The terms of a segment, sorted, each with the texts it occurs in: as blocks of some two kilobytes, and a directory of
 * the term each block begins with. Each term omits the prefix it shares with the previous term. Texts are numbered as
 * in the segment's table; only the differences between them are stored, with a bit that says whether the term occurs
 * just once.
 */
import type { Postings } from "../../recall/rank.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";

/** Size of a block: two blocks fit into a page of SQLite, and PostgreSQL does not compress so little. */
const BLOCK_BYTES = 1_800;

export interface TermBlocks {
  readonly directory: readonly string[];
  readonly blocks: readonly Uint8Array[];
}

/** `terms` must be sorted by UTF-16 units, as JavaScript compares strings, and the texts in each list must ascend. */
export function encodeTerms(terms: Iterable<readonly [string, Postings]>): TermBlocks {
  const directory: string[] = [];
  const blocks: Uint8Array[] = [];
  const writer = new ByteWriter();
  const list = new ByteWriter();
  let before = "";
  let isEmpty = true;
  const close = () => {
    if (!isEmpty) blocks.push(writer.finish());
    writer.clear();
    isEmpty = true;
    before = "";
  };
  for (const [term, postings] of terms) {
    writeList(list, postings);
    if (!isEmpty && writer.length + list.length > BLOCK_BYTES) close();
    if (isEmpty) directory.push(term);
    const shared = sharedLength(before, term);
    writer.number(shared);
    writer.text(term.slice(shared));
    writer.number(list.content().length);
    writer.bytes(list.content());
    before = term;
    isEmpty = false;
  }
  close();
  return { directory, blocks };
}

function writeList(list: ByteWriter, { texts, counts }: Postings): void {
  list.clear();
  for (let nth = 0, before = -1; nth < texts.length; nth++) {
    const text = texts[nth] ?? 0;
    const count = counts[nth] ?? 1;
    list.number((text - before - 1) * 2 + (count === 1 ? 0 : 1));
    if (count !== 1) list.number(count);
    before = text;
  }
}

/** Number of equal characters at the beginning of both texts. The count never splits a surrogate pair. */
function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  const last = a.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}

/** The terms of a block for which `wanted` is true, with `base` added to the numbers of their texts. */
export function* readBlock(
  block: Uint8Array,
  wanted: (term: string) => boolean,
  base = 0,
): Generator<readonly [string, Postings]> {
  const reader = new ByteReader(block);
  for (let term = ""; !reader.isAtEnd; ) {
    term = term.slice(0, reader.number()) + reader.text();
    const bytes = reader.number();
    if (wanted(term)) yield [term, readList(reader, bytes, base)];
    else reader.skip(bytes);
  }
}

function readList(reader: ByteReader, bytes: number, base: number): Postings {
  const texts: number[] = [];
  const counts: number[] = [];
  const end = reader.at + bytes;
  for (let before = -1; reader.at < end; ) {
    const step = reader.number();
    before += Math.floor(step / 2) + 1;
    texts.push(before + base);
    counts.push(step % 2 === 0 ? 1 : reader.number());
  }
  return { texts, counts };
}

export function encodeDirectory(directory: readonly string[]): Uint8Array {
  const writer = new ByteWriter();
  writer.number(directory.length);
  for (const term of directory) writer.text(term);
  return writer.finish();
}

export function decodeDirectory(bytes: Uint8Array): string[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: reader.number() }, () => reader.text());
}

/** Number of the block that would contain the term; -1 when the term sorts before the first. */
export function blockOf(directory: readonly string[], term: string): number {
  let low = 0;
  let high = directory.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((directory[middle] ?? "") <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
