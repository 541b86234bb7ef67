/** Parses `multipart/form-data` without copying it. Node's own parser can block the process for seconds. */
import { CairnError } from "@cairn/timeline";

export interface FormPart {
  readonly name: string;
  /** The file's name; null for a form field that is not a file. */
  readonly filename: string | null;
  readonly type: string | null;
  readonly bytes: Uint8Array;
}

const MAX_PARTS = 100;
const MAX_HEADER_BYTES = 8_192;

/** Throws `bad_request` and `too_large`. */
export function readForm(body: Uint8Array, contentType: string): FormPart[] {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  const mark = Buffer.from(`--${boundary?.[1] ?? boundary?.[2] ?? ""}`);
  if (boundary === null) throw notAForm();
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: FormPart[] = [];
  let at = bytes.indexOf(mark);
  if (at < 0) throw notAForm();
  for (;;) {
    at += mark.length;
    if (bytes.toString("latin1", at, at + 2) === "--") return parts;
    if (bytes.toString("latin1", at, at + 2) !== "\r\n") throw notAForm();
    if (parts.length >= MAX_PARTS)
      throw new CairnError("too_large", `The form has more than ${MAX_PARTS} parts. Send fewer.`);
    const next = bytes.indexOf(`\r\n${mark.toString("latin1")}`, at, "latin1");
    if (next < 0) throw notAForm();
    parts.push(readPart(bytes.subarray(at + 2, next)));
    at = next + 2;
  }
}

function readPart(part: Buffer): FormPart {
  // A part without headers begins with an empty line.
  const end = part.subarray(0, MAX_HEADER_BYTES).indexOf("\r\n\r\n");
  if (end < 0) throw notAForm();
  const headers = part.toString("utf8", 0, end).split("\r\n");
  const header = (pattern: RegExp) =>
    headers.map((line) => pattern.exec(line)?.[1]).find((value) => value !== undefined);
  const disposition = header(/^content-disposition:\s*form-data(;[^\r\n]*)/i);
  const name = disposition === undefined ? null : parameter(disposition, "name");
  if (disposition === undefined || name === null) throw notAForm();
  const type = header(/^content-type:[ \t]*(\S[^\r\n]*)/i)?.trim() ?? null;
  return { name, filename: parameter(disposition, "filename"), type, bytes: part.subarray(end + 4) };
}

/** Browsers percent-encode quotes and line breaks in names. */
function parameter(disposition: string, name: string): string | null {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, "i").exec(disposition) ?? [];
  const value = quoted ?? plain;
  return value === undefined
    ? null
    : value.replace(/%(?:0A|0D|22)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

function notAForm(): CairnError {
  return new CairnError("bad_request", "The body is not valid multipart/form-data.");
}
