import { describe, expect, it } from "vitest";
import { sentAs } from "./download.ts";

describe("media types", () => {
  it.each([
    ["image/png", "image/png", true],
    ["IMAGE/PNG; x=y", "image/png", true],
    ["image/svg+xml", "application/octet-stream", false],
    ["text/html", "text/plain; charset=utf-8", false],
    ["application/xhtml+xml", "application/octet-stream", false],
    ["text/xml", "text/plain; charset=utf-8", false],
    ["text/javascript", "text/plain; charset=utf-8", false],
    ["text/markdown", "text/plain; charset=utf-8", true],
    ["application/json", "text/plain; charset=utf-8", true],
    ["application/pdf", "application/pdf", true],
    ["nonsense", "application/octet-stream", false],
    [null, "application/octet-stream", false],
  ] as const)("%s is sent as %s", (mime, type, inline) => {
    expect(sentAs(mime)).toEqual({ type, inline });
  });
});
