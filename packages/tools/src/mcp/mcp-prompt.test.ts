/** Prompts as a server lists them, and as people choose them. */
import { expect, it } from "vitest";
import { listedPrompts } from "./mcp-prompt.ts";

it("prompts that cannot be typed, or that would control a terminal, are left out, and the first of a name is used", () => {
  const listed = listedPrompts("shop", [
    { name: "\u001b]0;owned\u0007" },
    { name: "turned\u202e" },
    { name: "two words" },
    { name: "" },
    { name: "sum", description: "first", arguments: [{ name: "a" }, { name: "b" }, { name: "a", required: true }] },
    { name: "sum", description: "second" },
    { name: "größe" },
  ]);
  expect(listed.map(({ name, description }) => [name, description])).toEqual([
    ["größe", ""],
    ["sum", "first"],
  ]);
  expect(listed[1]?.arguments.map(({ name, required }) => [name, required])).toEqual([
    ["a", false],
    ["b", false],
  ]);
});
