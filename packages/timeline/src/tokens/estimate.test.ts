import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block } from "../block/block.ts";
import { estimateBlock } from "./estimate.ts";

const count = (text: string): number => text.length;
const estimate = (block: Omit<Block, "type">): number => estimateBlock({ type: "t", ...block }, count);
const PNG_56X28 = btoa("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x38\0\0\0\x1c");

describe("estimateBlock", () => {
  test.each<[string, Omit<Block, "type">, number]>([
    ["nothing", {}, 0],
    ["an empty text", { text: "" }, 0],
    ["an empty JSON text", { text: "", mime: "application/json" }, 0],
    ["a text", { text: "abcd", mime: "text/plain" }, 4],
    ["an SVG as text", { text: "<svg/>", mime: "image/svg+xml" }, 6],
    ["an image by its meta", { mime: "image/png", base64: "AAAA", meta: { width: 280, height: 140 } }, 50],
    ["an image by its bytes", { mime: "image/png", base64: PNG_56X28 }, 2],
    ["meta before bytes", { mime: "image/png", base64: PNG_56X28, meta: { width: 28, height: 28 } }, 1],
    ["bytes when meta is no size", { mime: "image/png", base64: PNG_56X28, meta: { width: 0, height: "x" } }, 2],
    ["an image of unknown size", { mime: "image/png", base64: "AAAA" }, 1_568],
    ["an image that is stored elsewhere", { mime: "image/jpeg", meta: { blob: "sha" } }, 1_568],
    ["a stored image of known size", { mime: "IMAGE/JPEG; q=1", meta: { blob: "sha", width: 28, height: 29 } }, 2],
    ["a PDF by its meta", { mime: "application/pdf", base64: "AAAA", meta: { pages: 3 } }, 6_000],
    ["a PDF by its bytes", { mime: "application/pdf", base64: btoa("<</Type/Page>> <</Type /Page>>") }, 4_000],
    ["a PDF of unknown length", { mime: "application/pdf" }, 2_000],
    ["text and image together", { text: "abc", mime: "image/png", base64: PNG_56X28 }, 5],
    ["other bytes", { mime: "application/zip", base64: "AAAA" }, 1],
    ["bytes of no type", { base64: "AAAA" }, 1],
    ["other bytes stored elsewhere", { meta: { blob: "sha" } }, 1],
    ["a binary file without its bytes", { mime: "application/vnd.ms-excel" }, 1],
  ])("%s", (_, block, tokens) => {
    expect(estimate(block)).toBe(tokens);
  });

  test("the length of the base64 does not matter", () => {
    for (const mime of ["image/png", "application/pdf", "application/zip"])
      expect(estimate({ mime, base64: "A".repeat(1_000_000) })).toBe(estimate({ mime, base64: "AAAA" }));
  });

  test("a binary block never costs 0, whatever its bytes and meta", () => {
    const mime = fc.constantFrom("image/png", "image/x", "application/pdf", "audio/mp3", "application/zip", "", "odd");
    const meta = fc.dictionary(fc.constantFrom("width", "height", "pages", "blob"), fc.jsonValue());
    fc.assert(
      fc.property(mime, fc.string({ minLength: 1 }), meta, (type, base64, fields) => {
        const tokens = estimateBlock({ type: "t", mime: type, base64, meta: fields as Block["meta"] & object }, count);
        expect(Number.isInteger(tokens) && tokens >= 1).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});
