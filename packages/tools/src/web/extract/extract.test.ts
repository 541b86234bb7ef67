/** Content that is read in the thread of the server takes linear time, whatever it contains. */
import { charsetOf } from "@cairn/agent/charset";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { describe, expect, it } from "vitest";
import { extract } from "./extract.ts";
import { htmlPage } from "./html-page.ts";

describe("markdown", () => {
  it.each([
    ["# Title\n\ntext", "Title"],
    ["text\n\n#\tTitle with # marks ##  \n", "Title with # marks"],
    ["## Second level only", undefined],
    ["#hashtag", undefined],
    ["#   ", undefined],
    ["", undefined],
  ])("%j has the title %j", async (text, title) => {
    expect((await extract({ kind: "markdown", bytes: Buffer.from(text) })).title).toBe(title);
  });

  it("loses the comments that begin a line, and nothing else", async () => {
    const text = "<!-- a -->\n# T\n  <!-- b\nc --> d\n`<!-- e -->`\n```html\n<!-- f -->\n```\n<!-- g\n";
    const read = await extract({ kind: "markdown", bytes: Buffer.from(text) });
    expect(read).toEqual({ text: "# T\n d\n`<!-- e -->`\n```html\n<!-- f -->\n```", title: "T" });
  });

  it("of spaces, marks or lines is read in linear time", async () => {
    for (const piece of [" ", "#", "# ", "#\n", "\t", " #"])
      expect(
        (await extract({ kind: "markdown", bytes: Buffer.from(`# ${piece.repeat(20_000)}x`) })).text.length,
      ).toBeGreaterThan(20_000);
  });
});

it("JSON is indented, and stays unchanged if it is nested so deeply that indents would dominate", async () => {
  const read = async (json: string) => (await extract({ kind: "json", bytes: Buffer.from(json) })).text;
  expect(await read('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(await read(deep)).toBe(deep);
});

it.each([
  ["text/html; charset=utf-8", "utf-8"],
  ['text/html;charset="ISO-8859-1"; x=y', "ISO-8859-1"],
  ["text/html", undefined],
  ["", undefined],
])("the charset of %j is %j", (type, charset) => {
  expect(charsetOf(type)).toBe(charset);
});

it.each(["<", "<a", "<a b=c ", "<div>", "<!--x-->", "&amp;", " ", "<p>\n", "<b></b>"])(
  "a page that repeats %j is searched in linear time",
  (piece) => {
    // For a document above the limits, only the text is read.
    const growth = growthOnDoubling(
      (size) => `${piece.repeat(size)}${"&".repeat(120_001)}`,
      (html) => htmlPage(html, undefined),
      8_000,
    );
    expect(growth).toBeLessThan(3);
  },
);

it("a page with one endless name is searched in linear time", () => {
  const growth = growthOnDoubling(
    (size) => `<${"a".repeat(size)}`,
    (html) => htmlPage(html, undefined),
    20_000,
  );
  expect(growth).toBeLessThan(3);
});

describe("a page without its own text", () => {
  const page = (html: string) => htmlPage(html, "https://example.com/old/");
  it.each([
    ['<meta http-equiv="refresh" content="0; url=/new">', "- <https://example.com/new>"],
    [
      "<meta http-equiv=Refresh content=\"5;URL='page.html'\"><title>Moved</title>",
      "- <https://example.com/old/page.html>",
    ],
    [
      '<frameset><frame src="a.html"><frame src="b.html"></frameset>',
      "- <https://example.com/old/a.html>\n- <https://example.com/old/b.html>",
    ],
    [
      '<iframe src="//other.example/app"></iframe><iframe src="javascript:x()"></iframe>',
      "- <https://other.example/app>",
    ],
  ])("lists its links: %s", (html, text) => {
    expect(page(html)).toMatchObject({ text, problem: expect.stringContaining("no text of its own") });
  });

  it("without links is empty, and a page with text is read as text", () => {
    expect(page('<meta http-equiv="refresh" content="30">')).toMatchObject({ text: "" });
    expect(page('<meta http-equiv="refresh" content="30; url=/x"><p>Hello</p>').text).toBe("Hello");
  });
});
