import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { flatText } from "./flat-text.ts";

it.each([
  ["<p>one</p><p>two</p>", "one\n\ntwo"],
  ["a<br>b<br/>c", "a\nb\nc"],
  ["<b>bold</b> and <i>not</i>", "bold and not"],
  ["<head><title>t</title></head><body>x</body>", "x"],
  ["<script>if (a < b) alert('</p>')</script>text<style>p{}</style>", "text"],
  ["a &lt; b &amp;&amp; c &#65;&#x42; &nbsp;x &unknown; &#0; &#xD800;", "a < b && c AB x &unknown; \uFFFD \uFFFD"],
  ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["a<!-- hidden > still -->b", "ab"],
  ["<a href='x>y'>link</a>", "y'>link"],
  ["text <unfinished", "text"],
])("%j is %j", (html, text) => {
  expect(flatText(html)).toBe(text);
});

it("accepts any input, and returns text without known tags", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("<p>", "</p>", "<", ">", "<!--", "-->", "<script>", "</script>", "&amp;", "&#", ";"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(flatText(pieces.join(""))).not.toMatch(/<\/?(?:p|script)>/);
    }),
    { numRuns: runs },
  );
});

it.each(["<", "<a", "<a ", "<!--", "&", "&#1", "<p>", " ", "\n ", "<script>", "</", "<a>\n"])(
  "takes linear time on repeated %j",
  (piece) => {
    const growth = growthOnDoubling((size) => piece.repeat(size), flatText, 4_000);
    expect(growth).toBeLessThan(3);
  },
);
