import { expect, it } from "vitest";
import { Editor } from "./editor.ts";

/** The text after the keys, with `|` at the cursor. */
function edit(text: string, ...keys: readonly string[]): string {
  const editor = new Editor();
  const at = text.indexOf("|");
  editor.set(text.replace("|", ""), at < 0 ? text.length : at);
  for (const key of keys) expect(editor.press(key)).toBe(true);
  return `${editor.before}|${editor.after}`;
}

it("the cursor moves by visible characters, words and lines", () => {
  expect(edit("a👩‍👩‍👧e\u0301", "left")).toBe("a👩‍👩‍👧|e\u0301");
  expect(edit("a👩‍👩‍👧|x", "left", "right", "right")).toBe("a👩‍👩‍👧x|");
  expect(edit("one two-three", "word-left")).toBe("one two-|three");
  expect(edit("|über den Fluss", "word-right", "word-right")).toBe("über den| Fluss");
  expect(edit("one\ntwo three", "home")).toBe("one\n|two three");
  expect(edit("one|\ntwo", "ctrl-a", "end")).toBe("one|\ntwo");
});

it("words and the ends of a line are cut, and pasted again", () => {
  expect(edit("one two-three", "ctrl-w")).toBe("one |");
  expect(edit("one two-three", "delete-word-left")).toBe("one two-|");
  expect(edit("one |two", "ctrl-k", "ctrl-a", "ctrl-y")).toBe("two|one ");
  expect(edit("one |two", "ctrl-u")).toBe("|two");
  expect(edit("a|\nb", "ctrl-k")).toBe("a|b");
  expect(edit("🇩🇪🇫🇷", "backspace")).toBe("🇩🇪|");
  expect(edit("|🇩🇪x", "delete")).toBe("|x");
});

it("the line above and below keep the column, and the first and last line have none", () => {
  const editor = new Editor();
  editor.set("long line\nab\nlong line", 5);
  expect(editor.moveLine(-1)).toBe(false);
  expect(editor.moveLine(1)).toBe(true);
  expect(editor.before).toBe("long line\nab");
  expect(editor.moveLine(1)).toBe(true);
  expect(editor.before).toBe("long line\nab\nlo");
  expect(editor.moveLine(1)).toBe(false);
});

it("a key that does not edit is not handled", () => {
  expect(new Editor().press("ctrl-c")).toBe(false);
});
