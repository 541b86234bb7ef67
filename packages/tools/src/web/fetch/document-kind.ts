/** The type of a response: by its first bytes if they are conclusive, otherwise by its content type. */
import { sniffMime } from "@cairn/agent";
import type { DocumentKind } from "../extract/page.ts";

export type AnswerKind =
  | { readonly document: DocumentKind }
  | { readonly image: string }
  | { readonly refused: string };

const PACKED =
  /^application\/(?:vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|vnd\.ms-(?:word|excel|powerpoint)\.|epub\+zip$)/;
const TEXTUAL = /^text\/|^application\/(?:[\w.-]+\+)?(?:xml|yaml|x-yaml|javascript|x-ndjson|toml|sql|rtf)$/;

export function kindOf(bytes: Uint8Array, contentType: string): AnswerKind {
  const sniffed = sniffMime(bytes);
  if (sniffed === "application/pdf") return { document: "pdf" };
  if (sniffed !== null) return { image: sniffed };
  const type = contentType.split(";", 1)[0]?.trim() ?? "";
  if (PACKED.test(type)) return { document: "zip" };
  if (type === "image/svg+xml") return { document: "text" };
  if (/^(?:image|audio|video|font)\//.test(type)) return { refused: type };
  if (type === "application/json" || type.endsWith("+json")) return { document: "json" };
  if (type === "text/html" || type === "application/xhtml+xml") return { document: "html" };
  if (type === "text/markdown") return { document: "markdown" };
  if (TEXTUAL.test(type)) return { document: "text" };
  if (looksBinary(bytes)) return { refused: type === "" ? "bytes of no known type" : type };
  return { document: /^\s*(?:<!doctype html|<html)/i.test(head(bytes)) ? "html" : "text" };
}

function looksBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isUtf16 && bytes.subarray(0, 4_096).includes(0);
}

function head(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, 512));
}
