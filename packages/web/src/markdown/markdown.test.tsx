import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";
import { DocumentContext } from "./reading-context.ts";

const drawn = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

test("each block has the direction of its words, and inner blocks have the same direction", () => {
  expect(drawn("مرحبا")).toContain('<p dir="auto">مرحبا</p>');
  expect(drawn("# مرحبا")).toContain('<h2 dir="auto">');
  expect(drawn("- أ\n- ب")).toContain('<ul dir="auto"><li>');
  expect(drawn("1. أ\n2. ب")).toContain('<ol dir="auto" start="1"><li>');
  // A direction of its own would keep the browser from deriving the direction of the whole from its words.
  expect(drawn("> مرحبا")).toContain('<blockquote dir="auto"><p>مرحبا</p></blockquote>');
  expect(drawn("| أ |\n|---|\n| ب |")).toMatch(/<section[^>]* dir="auto"/);
  expect(drawn("```\na\n```")).toContain('<figure dir="ltr"');
});

test("HTML is shown as text, and comments of a document are not shown except in its code", () => {
  const text = "<!-- why -->\n\nSee <!-- not --> <b>this</b>.\n\n`<!-- code -->`\n\n<!-- open";
  expect(drawn(text)).toContain("&lt;!-- why --&gt;");
  const document = renderToStaticMarkup(
    <DocumentContext value>
      <Markdown text={text} />
    </DocumentContext>,
  );
  expect(document).not.toMatch(/why|not|open/);
  expect(document).toContain("See  &lt;b&gt;this&lt;/b&gt;.");
  expect(document).toContain("<code>&lt;!-- code --&gt;</code>");
});

test("a table with very many cells shows its first rows, and says how many it has", () => {
  const table = (rows: number, columns: number) =>
    [
      `|${" a |".repeat(columns)}`,
      `|${"---|".repeat(columns)}`,
      ...Array(rows).fill(`|${" b |".repeat(columns)}`),
    ].join("\n");
  const cells = (text: string) => drawn(text).match(/<td/g)?.length;
  expect(cells(table(120, 30))).toBe(33 * 30);
  expect(drawn(table(120, 30))).toContain("The first 33 of 120 rows.");
  expect(cells(table(40, 200))).toBe(10 * 200);
  expect(cells(table(100, 10))).toBe(1_000);
  expect(drawn(table(100, 10))).not.toContain("The first");
});
