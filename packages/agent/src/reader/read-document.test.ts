import { expect, it } from "vitest";
import { documentFormat } from "./read-document.ts";

it.each([
  ["%PDF-1.4", "application/octet-stream", "pdf"],
  ["\r\n\n%PDF-1.4", "", "pdf"],
  ["\u00ef\u00bb\u00bf%PDF-1.4", "text/plain", "pdf"],
  ["HTTP/1.1 200 OK\n\n%PDF-1.4", "application/pdf", "pdf"],
  ["A text about %PDF-1.4", "text/plain", null],
  ["PK\u0003\u0004 ", "text/plain", "zip"],
  ["<p>", "text/html; charset=utf-8", "html"],
  ["\u00ef\u00bb\u00bf\n<!DOCTYPE html><p>", "text/plain", "html"],
  ["<html lang='en'>", "application/octet-stream", "html"],
  ["<html>", "text/typescript", null],
  ["<htmlish>", "text/plain", null],
])("the bytes %j with the media type %j are a document of the format %s", (start, mime, format) => {
  expect(documentFormat(Buffer.from(start, "latin1"), mime)).toBe(format);
});
