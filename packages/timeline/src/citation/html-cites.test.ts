import { growthOnDoubling } from "@cairn/testkit/growth";
import { describe, expect, it } from "vitest";
import { findHtmlCites } from "./html-cites.ts";

const sidsIn = (text: string) => [...findHtmlCites(text)].map((cite) => cite.sids);

describe("citations in HTML", () => {
  it.each([
    '<sup class="cite" data-sids="1,3">',
    '<sup data-sids="1,3" class="cite">',
    "<SUP CLASS='cite' DATA-SIDS='1,3'>",
    "<sup class=cite data-sids=1,3>",
    '<sup\n\tclass = "cite"\n data-sids = "1,3" >',
    '<sup id=x class="big cite small" title="a > b" data-sids="1,3"/>',
    '<sup class="cite" data-sids="1,3" data-sids="9">',
    '<p title="it\'s">a < b</p><sup class="cite" hidden data-sids="1,3"><a href="x">y</a></sup>',
  ])("finds %j", (text) => {
    expect(sidsIn(text)).toEqual(["1,3"]);
  });

  it.each([
    '<sub class="cite" data-sids="1">',
    '<supper class="cite" data-sids="1">',
    '<sup class="cited" data-sids="1">',
    '<sup class="cite">',
    '<sup data-sids="1">',
    '</sup class="cite" data-sids="1">',
    '<!-- <sup class="cite" data-sids="1"> -->',
    '<script>"<sup class=cite data-sids=1>"</script>',
    '<STYLE><sup class="cite" data-sids="1"></STYLE >',
    `<a title='<sup class="cite" data-sids="1">'>`,
    '&lt;sup class="cite" data-sids="1">',
    '< sup class="cite" data-sids="1">',
    '<sup class="cite" data-sids="1"',
    '<sup class="cite" data-sids="1>',
    '<sup class="cite',
    "<",
    "<sup",
    "<sup ",
    "<sup a=",
  ])("finds nothing in %j", (text) => {
    expect(sidsIn(text)).toEqual([]);
  });

  it("continues after comments, scripts and other tags", () => {
    const cite = '<sup class="cite" data-sids="2">';
    expect(sidsIn(`<!-->${cite}<!-- x -->${cite}<script>a<b</script>${cite}<br/>${cite}`)).toEqual([
      "2",
      "2",
      "2",
      "2",
    ]);
  });

  it.each<[string, string]>([
    ["tags without end", "<sup"],
    ["tags without end and with space", "<sup "],
    ["attributes", "<sup class=cite data-sids='1' "],
    ["openings", "<"],
    ["comments without end", "<!-- <sup>"],
    ["quotes", `<sup a="'" b='"' c="`],
    ["scripts without end", "<script></scrip"],
    ["spaces in a tag", "<sup class                  "],
    ["citations", '<sup class="cite" data-sids="1,3">'],
  ])("%s repeated: time grows with the length alone", (_name, part) => {
    expect(growthOnDoubling((size) => part.repeat(size), sidsIn, 4_000)).toBeLessThan(3);
  });
});
