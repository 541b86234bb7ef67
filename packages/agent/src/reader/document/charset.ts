/**
 * Bytes to text as browsers do it. The charset is that of a byte order mark, or else of the header, or else of the
 * first kilobytes of the page. Otherwise it is UTF-8, or Windows-1252 for bytes that are not valid UTF-8. Invalid bytes
 * become U+FFFD; an unknown charset name is ignored.
 */
const META_BYTES = 4_096;
const META_CHARSET =
  /<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]{2,40})|<\?xml[^>]+?encoding\s*=\s*["']([\w:.-]{2,40})["']/i;

export function decodeBytes(bytes: Uint8Array, headerCharset: string | undefined, looksForMeta: boolean): string {
  const label = bomOf(bytes) ?? known(headerCharset) ?? (looksForMeta ? metaOf(bytes) : undefined);
  if (label !== undefined) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // The usual charset of pages that are not UTF-8 and name no charset.
  }
}

/** The charset parameter of a media type. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?\s*([^\s";]{2,40})/i.exec(contentType)?.[1];
}

function bomOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : undefined;
}

function metaOf(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, META_BYTES));
  const found = META_CHARSET.exec(head);
  const label = known(found?.[1] ?? found?.[2]);
  // A page whose first bytes could be read as ASCII is not UTF-16, even if it declares UTF-16.
  return label?.startsWith("utf-16") === true ? "utf-8" : label;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined; // No decoder exists for a charset of this name.
  }
}
