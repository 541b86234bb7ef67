import { expect, test } from "vitest";
import { imageTokens, pdfTokens } from "./binary-cost.ts";

test.each([
  [1, 1, 1],
  [28, 28, 1],
  [29, 28, 2],
  [280, 140, 50],
  [1092, 1092, 1521],
  [1120, 1120, 1568],
  [100_000, 100_000, 1568],
  [100_000, 1, 1568],
  [0, 10, 1568],
  [10, -1, 1568],
  [Number.NaN, 10, 1568],
  [Number.POSITIVE_INFINITY, 1, 1568],
])("an image of %d by %d costs %d", (width, height, tokens) => {
  expect(imageTokens(width, height)).toBe(tokens);
});

test.each([
  [1, 2_000],
  [12, 24_000],
  [0, 2_000],
  [-3, 2_000],
  [Number.NaN, 2_000],
  [Number.POSITIVE_INFINITY, 2_000],
])("a PDF of %d pages costs %d", (pages, tokens) => {
  expect(pdfTokens(pages)).toBe(tokens);
});
