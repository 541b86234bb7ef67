import { describe, expect, test } from "vitest";
import { countPdfPages } from "./pdf-pages.ts";

const page = "<< /Type /Page /Parent 1 0 R >> endobj\n";
const tree = (count: number | string): string => `1 0 obj << /Type /Pages /Kids [] /Count ${count} >> endobj\n`;
const padding = " ".repeat(400);

describe("countPdfPages", () => {
  test.each<[string, string, number | null]>([
    ["the page tree", tree(3) + page.repeat(3), 3],
    ["page objects alone", page.repeat(4), 4],
    ["tight writing", "<</Type/Page>>endobj <</Type/Pages/Count 1>>endobj", 1],
    ["nested trees, where the root counts all", tree(2) + tree(5) + page.repeat(5), 5],
    ["an edited file, which keeps replaced pages", tree(2) + page.repeat(5), 2],
    ["a forged count", tree(99_999) + page, 1],
    ["a packed file with its tree in clear", tree(7) + padding, 7],
    ["a packed file with a forged count", tree(999_999_999) + padding, null],
    ["a linearised file", `1 0 obj << /Linearized 1 /N 12 >> endobj ${padding}`, 12],
    ["an outline's count", `<< /Type /Outlines /Count 9 >> endobj ${padding}`, null],
    ["a count of too many digits", tree("9".repeat(50)) + padding, null],
    ["other types that begin alike", "<< /Type /PageLabel >> endobj", null],
    ["nothing", "", null],
  ])("%s", (_, body, pages) => {
    expect(countPdfPages(btoa(`%PDF-1.7\n${body}`))).toBe(pages);
  });

  test("text that is not base64 has no page count", () => {
    expect(countPdfPages("")).toBeNull();
    expect(countPdfPages("{not base64}")).toBeNull();
    expect(countPdfPages("\ud800".repeat(1000))).toBeNull();
  });

  test("a page in a file longer than one window is counted once", () => {
    const filler = `<< ${"x".repeat(100_000)} >> endobj\n`;
    const body = Array.from({ length: 70 }, () => page + filler).join("");
    expect(countPdfPages(btoa(body))).toBe(70);
  });
});
