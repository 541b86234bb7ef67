/** The words of DOCX and PPTX, read from their own parts, without the libraries that wrote them. */
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** The files of a ZIP archive, by name. */
export function readZip(archive: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(archive);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error("The file is not a ZIP archive.");
  const files = new Map<string, Uint8Array>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error("The archive's directory is damaged.");
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + packed);
    files.set(name, method === 0 ? content : inflateRawSync(content));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

const TEXT_PARTS = /^(?:word\/(?:document|footnotes)|ppt\/slides\/slide\d+)\.xml$/;

/** All visible text, one line a paragraph. */
export function officeText(file: Uint8Array): string {
  return [...readZip(file)]
    .filter(([name]) => TEXT_PARTS.test(name))
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([, bytes]) => xmlText(Buffer.from(bytes).toString("utf8")))
    .join("\n");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["amp", "&"],
]);

function xmlText(xml: string): string {
  return xml
    .replace(/<(?:w|a):br\b[^>]*>|<\/(?:w|a):p>/g, "\n")
    .replace(/<w:tab\b[^>]*>/g, "\t")
    .replace(/<w:instrText\b[^>]*>[^<]*<\/w:instrText>/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex: string, decimal: string, name: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return ENTITIES.get(name) ?? all;
    });
}
