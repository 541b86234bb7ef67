import { expect, test } from "vitest";
import { splitFences } from "./split-fences.ts";

const words = (text: string) => ({ kind: "words", text });
const code = (text: string, language = "") => ({ kind: "code", text, language });

test("a message without code is words, as they were typed", () => {
  expect(splitFences("One\n  two ```three``` four")).toEqual([words("One\n  two ```three``` four")]);
  expect(splitFences("")).toEqual([]);
});

test("code between fences is code, beside the words around it", () => {
  expect(splitFences("Run this:\n\n```python\na = 1\n\nb = 2\n```\nThanks")).toEqual([
    words("Run this:"),
    code("a = 1\n\nb = 2", "python"),
    words("Thanks"),
  ]);
  expect(splitFences("Run:\r\n```js\r\n1\r\n```\r\n")).toEqual([words("Run:"), code("1", "js")]);
  expect(splitFences("Run ```js\n1\n```")).toEqual([words("Run"), code("1", "js")]);
});

test("a block that is never closed goes on to the end", () => {
  expect(splitFences("```\n<script>")).toEqual([code("<script>")]);
});
