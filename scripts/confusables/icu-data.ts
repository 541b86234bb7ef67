/** The confusables in a data file of ICU (`icudtl.dat`): little-endian, a table of contents, then the items. */

export interface Confusables {
  /** The version of ICU, from the names of its items. */
  readonly icu: string;
  /** The prototype of a code point: one or more characters that look like it. */
  readonly confusables: ReadonlyMap<number, string>;
}

const MAGIC = 0x3845fdef;

export function readConfusables(data: Buffer): Confusables {
  const contents = data.readUInt16LE(0);
  const items = data.readUInt32LE(contents);
  for (let item = 0; item < items; item++) {
    const at = contents + 4 + 8 * item;
    const nameAt = contents + data.readUInt32LE(at);
    const name = data.toString("latin1", nameAt, data.indexOf(0, nameAt));
    if (!name.endsWith("/confusables.cfu")) continue;
    const start = contents + data.readUInt32LE(at + 4);
    return { icu: name.replace(/\D*(\d+).*/, "$1"), confusables: readTable(data, start + data.readUInt16LE(start)) };
  }
  throw new Error("The file holds no confusables.cfu.");
}

/** A key is a code point, with the length of its prototype above it; a value is the prototype or its place. */
function readTable(data: Buffer, start: number): Map<number, string> {
  if (data.readUInt32LE(start) !== MAGIC)
    throw new Error("confusables.cfu does not begin with the magic number of ICU's format.");
  const [keys, count, values, , strings] = [12, 16, 20, 24, 28].map((at) => data.readUInt32LE(start + at));
  if (keys === undefined || count === undefined || values === undefined || strings === undefined)
    throw new Error("The header of confusables.cfu is too short.");
  const table = new Map<number, string>();
  for (let row = 0; row < count; row++) {
    const key = data.readUInt32LE(start + keys + 4 * row);
    const value = data.readUInt16LE(start + values + 2 * row);
    const length = (key >>> 24) + 1;
    const at = start + strings + 2 * value;
    const prototype = length === 1 ? String.fromCharCode(value) : data.toString("utf16le", at, at + 2 * length);
    table.set(key & 0xffffff, prototype);
  }
  return table;
}
