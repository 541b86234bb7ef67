import { expect, test } from "vitest";
import { shortcutOf } from "./shortcuts.ts";

const press = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

test("a shortcut is found by its key and its modifiers", () => {
  expect(shortcutOf(press("k", { ctrlKey: true }), true)).toBe("search");
  expect(shortcutOf(press("k", { metaKey: true }), false)).toBe("search");
  expect(shortcutOf(press("O", { ctrlKey: true, shiftKey: true }), false)).toBe("newConversation");
  expect(shortcutOf(press("?", { shiftKey: true }), false)).toBe("help");
  expect(shortcutOf(press("k"), false)).toBeNull();
  expect(shortcutOf(press("o", { ctrlKey: true }), false)).toBeNull();
});

test("plain keys are no shortcuts while the user types, except Escape", () => {
  expect(shortcutOf(press("/"), true)).toBeNull();
  expect(shortcutOf(press("?", { shiftKey: true }), true)).toBeNull();
  expect(shortcutOf(press("Escape"), true)).toBe("stop");
});
