import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceCitations } from "./replace-citations.ts";
import { linkSource } from "./source-link.ts";

const markdown = (title: unknown, url: unknown) => linkSource(7, { sid: 7, title, url }, "markdown");
const html = (title: unknown, url: unknown) => linkSource(7, { sid: 7, title, url }, "html");

describe("labels", () => {
  it("show the title, or else the url, or else the sid", () => {
    expect(markdown("One", "https://e.com/1")).toBe("[One](https://e.com/1)");
    expect(markdown(undefined, "https://e.com/a_b")).toBe("[https://e.com/a\\_b](https://e.com/a_b)");
    expect(markdown(" \n ", "https://e.com/")).toBe("[https://e.com/](https://e.com/)");
    expect(markdown(undefined, undefined)).toBe("S:7");
    expect(html(undefined, "ftp://e.com/x")).toBe("ftp://e.com/x");
  });

  it("a field of the wrong type counts as absent", () => {
    expect(markdown(5, { href: "https://e.com" })).toBe("S:7");
    expect(html(["x"], null)).toBe("S:7");
  });

  it("line breaks and control characters in a title become a space", () => {
    expect(markdown(" a\r\n\n# b\u2028c\u0000d ", undefined)).toBe("a # b c d");
  });

  it.each([
    ["T[w]o", "T\\[w\\]o"],
    ["x](https://evil.com) [y", "x\\](https://evil.com) \\[y"],
    ["end\\", "end\\\\"],
    ["*a* _b_ `c` ~~d~~ a|b", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ a\\|b"],
    ["<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"],
    ["AT&T &lt; \\&amp;", "AT&T \\&lt; \\\\\\&amp;"],
    ["[[S:1]]", "\\[\\[S:1\\]\\]"],
    ["［［S：1］］", "［&#65339;S：1］&#65341;"],
    ["Really?! Yes.", "Really?! Yes."],
  ])("markdown shows the title %j literally", (title, shown) => {
    expect(markdown(title, "https://e.com/")).toBe(`[${shown}](https://e.com/)`);
  });

  it.each([
    ["T[w]o & 'x' \"y\"", "T[w]o &amp; &#39;x&#39; &quot;y&quot;"],
    ["</a></sup><script>", "&lt;/a&gt;&lt;/sup&gt;&lt;script&gt;"],
    ["&lt;", "&amp;lt;"],
    ["[[S:1]]", "[&#91;S:1]&#93;"],
  ])("HTML shows the title %j literally", (title, shown) => {
    expect(html(title, "https://e.com/")).toBe(`<a href="https://e.com/">${shown}</a>`);
  });
});

describe("targets", () => {
  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "\u0001java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
    "file:///etc/passwd",
    "ftp://e.com/",
    "//e.com/x",
    "/x",
    "e.com",
    "http://",
    "https://[",
    "",
  ])("%j is not a link, and its title is shown", (url) => {
    expect(markdown("T", url)).toBe("T");
    expect(html("T", url)).toBe("T");
  });

  it.each([
    ["https://e.com", "https://e.com"],
    ["HTTPS://E.com/A?b=1&c=2#d", "HTTPS://E.com/A?b=1&c=2#d"],
    ["https://de.wikipedia.org/wiki/Zürich", "https://de.wikipedia.org/wiki/Zürich"],
    ["https://e.com/A_(b)", "https://e.com/A_%28b%29"],
    ["https://e.com/a b", "https://e.com/a%20b"],
    ["  https://e.com/a\n", "https://e.com/a"],
    ["https://e.com/a) [x](javascript:alert(1)", "https://e.com/a%29%20%5Bx%5D%28javascript:alert%281%29"],
    ["https://e.com/<b>", "https://e.com/%3Cb%3E"],
    ["https:\\\\e.com\\x?a\\b", "https://e.com/x?a%5Cb"],
    ["https:e.com/x", "https://e.com/x"],
    ["https://e.com/?a=1&copy;=2", "https://e.com/?a=1&amp;copy;=2"],
    ["https://e.com/[[S:1]]", "https://e.com/%5B%5BS:1%5D%5D"],
    ["https://e.com/?q=`|`", "https://e.com/?q=%60%7C%60"],
    ["http://[::1]/[x]", "http://[::1]/%5Bx%5D"],
    ["https://e.com/\ud83d", "https://e.com/%EF%BF%BD"],
  ])("markdown writes the target of %j as %j", (url, target) => {
    expect(markdown("T", url)).toBe(`[T](${target})`);
  });

  it.each([
    ["https://e.com/A_(b)?x=1&y=2", "https://e.com/A_(b)?x=1&amp;y=2"],
    ['https://e.com/" onclick="alert(1)', "https://e.com/%22%20onclick=%22alert(1)"],
    ["https://e.com/' onclick='x", "https://e.com/&#39;%20onclick=&#39;x"],
    ["https://e.com/?[[S:1]]", "https://e.com/?%5B%5BS:1%5D%5D"],
  ])("HTML writes the target of %j as %j", (url, target) => {
    expect(html("T", url)).toBe(`<a href="${target}">T</a>`);
  });
});

describe("hostile rows", () => {
  const nasty = fc
    .array(
      fc.constantFrom(
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        '"',
        "'",
        "&",
        "\\",
        "\n",
        " ",
        "`",
        "［",
        "］",
        "S:1",
        "é",
        "\ud83d",
        "a",
      ),
      {
        maxLength: 12,
      },
    )
    .map((pieces) => pieces.join(""));

  it("a markdown link has the brackets and parentheses of one link only", () => {
    fc.assert(
      fc.property(nasty, nasty, (title, path) => {
        expect(markdown(`T${title}`, `https://e.com/${path}`)).toMatch(
          /^\[(?:[^\\[\]\n<>`]|\\[\\[\]`<>&*_~|])*\]\([^()\s<>\\]*\)$/,
        );
      }),
      { numRuns: runs },
    );
  });

  it("an HTML link is one element whose text has no markup", () => {
    fc.assert(
      fc.property(nasty, nasty, (title, path) => {
        expect(html(`T${title}`, `https://e.com/${path}`)).toMatch(/^<a href="[^"<>\s]*">[^<>"]*<\/a>$/);
      }),
      { numRuns: runs },
    );
  });

  it("a replacement holds no token, so replacing twice is replacing once", () => {
    fc.assert(
      fc.property(nasty, nasty, fc.constantFrom<"markdown" | "html">("markdown", "html"), (title, path, format) => {
        const pool = [{ sid: 1, title: `T${title}`, url: `https://e.com/${path}` }];
        const once = replaceCitations("a [[S:1]] b", pool, format);
        expect(replaceCitations(once, pool, format)).toBe(once);
      }),
      { numRuns: runs },
    );
  });

  it.each(["[", "\\", "&", "&#", "\n", "［", " "])("a title or url of many %j takes linear time", (character) => {
    const run = (text: string) => markdown(`x${text}x`, `https://e.com/x${text}x`) + html(`x${text}x`, "https://e.com");
    expect(growthOnDoubling((size) => character.repeat(size), run, 10_000)).toBeLessThan(3);
  });
});
