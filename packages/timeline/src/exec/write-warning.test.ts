import { expect, test } from "vitest";
import { writeWarning } from "./write-warning.ts";

const OFFICE = "application/vnd.openxmlformats-officedocument";

test.each([
  ["application/pdf", 500],
  ["Application/PDF; version=1.7", 500],
  ["report.pdf", 500],
  ["turn_1/files/my.final.PDF", 500],
  [`${OFFICE}.wordprocessingml.document`, 1_000],
  ["a.docx", 1_000],
  [`${OFFICE}.spreadsheetml.sheet`, 1_000],
  ["a.xlsx", 1_000],
  [`${OFFICE}.presentationml.presentation`, 2_000],
  ["a.pptx", 2_000],
])("%s is unusually small under %d bytes", (kind, smallest) => {
  expect(writeWarning(kind, smallest - 1)).toBe("file_unusually_small");
  expect(writeWarning(kind, smallest)).toBeNull();
});

test.each(["text/plain", "a.txt", "pdf.txt", "a.constructor", "__proto__", ""])("%j may be of any size", (kind) => {
  expect(writeWarning(kind, 0)).toBeNull();
});

test("an invalid name or size gives no warning", () => {
  expect(writeWarning(null as unknown as string, 0)).toBeNull();
  expect(writeWarning("a.pdf", Number.NaN)).toBeNull();
});
