import { expect, it } from "vitest";
import { detectFormat } from "./content-format.ts";

it.each([
  ["html", "<!DOCTYPE html><p>x"],
  ["html", "<!-- c -->\n<html><body>x"],
  ["html", '<div class="a"><p>x</p></div>'],
  ["html", "<style>p{}</style><p>x</p><pre># no\n- heading</pre>"],
  ["markdown", "# Heading\n\n<div>x</div>"],
  ["markdown", '<div align="center">\n\n# Heading\n\n</div>'],
  ["markdown", "Just words with <b>bold</b>"],
  ["markdown", ""],
])("content is recognised as %s: %s", (format, content) => {
  expect(detectFormat(content)).toBe(format);
});
