import { expect, test } from "vitest";
import { readSource } from "./read.ts";

test("reading a row returns its full content, or else its text", () => {
  expect(readSource({ sid: 1, text: "t", content: "full" })).toBe("full");
  expect(readSource({ sid: 1, text: "t", content: "" })).toBe("t");
  expect(readSource({ sid: 1 })).toBe("");
});
