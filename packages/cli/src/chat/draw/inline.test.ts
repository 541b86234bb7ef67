import { expect, it } from "vitest";
import { drawMarkdown } from "./markdown.ts";
import type { Pen } from "./style.ts";

const pen: Pen = { width: 80, hasColour: true, paint: (style, text) => (style === "dim" ? `{${text}}` : text) };

function drawn(markdown: string): string {
  return drawMarkdown(markdown, pen)
    .join("\n")
    .replace(/\x1b\]8;;[^\x07]*\x07/g, "");
}

it("a link shows its host, unless its words are the host or an address of the host", () => {
  expect(drawn("[microsoft.com](https://t.co)")).toBe("microsoft.com{ (t.co)}");
  expect(drawn("[see t.co](https://t.co)")).toBe("see t.co{ (t.co)}");
  expect(drawn("[https://microsoft.com](https://t.co)")).toBe("https://microsoft.com{ (t.co)}");
  expect(drawn("[t.co](https://t.co/a)")).toBe("t.co");
  expect(drawn("[**t.co**](https://t.co/a)")).toBe("t.co");
  expect(drawn("[https://t.co/b](https://t.co/a)")).toBe("https://t.co/b");
  expect(drawn("<https://t.co/a>")).toBe("https://t.co/a");
  expect(drawn("[https://microsoft.com@t.co](https://microsoft.com@t.co)")).toContain("{ (t.co)}");
});
