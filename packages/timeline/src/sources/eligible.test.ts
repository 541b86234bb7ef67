import { expect, test } from "vitest";
import { isEligible } from "./eligible.ts";

test("web rows and rows entered by hand are always eligible", () => {
  expect(isEligible({ source_type: "web" })).toBe(true);
  expect(isEligible({ source_type: "web", mime: "application/zip" })).toBe(true);
  expect(isEligible({ source_type: "manual" })).toBe(true);
});

test.each([
  "text/plain",
  "Text/HTML; charset=utf-8",
  "image/png",
  "IMAGE/SVG+XML",
  "application/pdf",
  " application/pdf ;v=1",
])("a file of type %j is eligible", (mime) => {
  expect(isEligible({ source_type: "file", mime })).toBe(true);
  expect(isEligible({ source_type: "attachment", mime })).toBe(true);
});

test.each([
  "application/json",
  "application/zip",
  "text",
  "text/",
  "xtext/plain",
  "application/pdfx",
  "",
  null,
  undefined,
])("a file of type %j is not eligible", (mime) => {
  expect(isEligible({ source_type: "file", mime })).toBe(false);
});

test("an internal file never enters the pool", () => {
  expect(isEligible({ source_type: "file", mime: "text/plain", visibility: "internal" })).toBe(false);
});

test("a type that is not text is not eligible", () => {
  expect(isEligible({ source_type: "file", mime: 7 as never })).toBe(false);
});
