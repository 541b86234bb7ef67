/** Pictures embedded in the content: `data:image/png;base64,…`. */
const DATA = /^data:(image\/[\w.+-]+)?(?:;[\w-]+=[^;,]*)*(;base64)?,/i;

/** The bytes; null for any other address. Only pictures are accepted. */
export function readDataUrl(src: string): Uint8Array | null {
  const [prefix, mime, base64] = DATA.exec(src.slice(0, 300)) ?? [];
  if (prefix === undefined || mime === undefined) return null;
  const body = src.slice(prefix.length);
  return base64 === undefined ? Buffer.from(percentDecoded(body)) : Buffer.from(body, "base64");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone percent sign is taken literally.
  }
}
