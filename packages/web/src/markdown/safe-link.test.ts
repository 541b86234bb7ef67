import { expect, test } from "vitest";
import { safeImage, safeLink } from "./safe-link.ts";

test("links lead to the web, to mail and to files of the conversation", () => {
  expect(safeLink("https://example.com/a?b#c")).toEqual({ kind: "web", href: "https://example.com/a?b#c" });
  expect(safeLink("mailto:ada@example.com")).toEqual({ kind: "web", href: "mailto:ada@example.com" });
  expect(safeLink("fi:turn_1.files/a.md")).toEqual({ kind: "file", path: "fi:turn_1.files/a.md" });
});

test.each([
  "javascript:alert(1)",
  " javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://example.com/1",
  "//example.com",
  "/api/conversations",
  "relative/path",
  "https://",
  "",
])("%j leads nowhere", (href) => {
  expect(safeLink(href)).toBeNull();
});

test("pictures are files of the conversation, or bytes that cannot execute", () => {
  expect(safeImage("fi:turn_1.files/a.png")).toEqual({ kind: "file", path: "fi:turn_1.files/a.png" });
  expect(safeImage("data:image/png;base64,AAAA")).toEqual({ kind: "data", src: "data:image/png;base64,AAAA" });
  for (const href of [
    "https://example.com/a.png",
    "data:image/svg+xml;base64,AAAA",
    "data:text/html;base64,AAAA",
    "javascript:1",
    "//x/a.png",
  ])
    expect(safeImage(href)).toBeNull();
});
