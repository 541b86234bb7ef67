/**
 * Decodes parts of a base64 text on demand, so that reading the size of an image costs only its header. Accepts the URL
 * alphabet, white space and a `data:` prefix. Bytes come as a string of char codes 0 to 255.
 */
export interface Base64Bytes {
  /** Number of bytes, at most two too many when the padding is missing. */
  readonly length: number;
  /** The bytes from `start` up to `end`: fewer at the end of the data, none if the text is not base64. */
  read(start: number, end: number): string;
}

export function openBase64(base64: string): Base64Bytes {
  const body = base64.startsWith("data:") ? base64.slice(base64.indexOf(",") + 1) : base64;
  const text = /[\s_-]/.test(body) ? body.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/") : body;
  return {
    length: Math.floor((text.length * 3) / 4),
    read(start, end) {
      const group = Math.floor(start / 3);
      const slice = text.slice(group * 4, Math.ceil(end / 3) * 4);
      return decode(slice).slice(start - group * 3, end - group * 3);
    },
  };
}

function decode(slice: string): string {
  try {
    return atob(slice);
  } catch {
    return ""; // The text is not base64, so there are no bytes.
  }
}

/** How many bytes a padded base64 text without a prefix stands for. */
export function base64Size(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
