import { describe, expect, it } from "vitest";
import { plainText } from "../model/document.ts";
import { allInlines } from "../model/walk.ts";
import { readHtml } from "./read-html.ts";

const blocks = (html: string) => readHtml(html).blocks;

describe("readHtml", () => {
  it("keeps structure and ignores everything that is not text", () => {
    const document = readHtml(
      "<html><head><title> The  title </title><style>p{}</style></head><body><script>x</script>loose <b>bold</b><p>para<br>graph</p></body></html>",
    );
    expect(document.title).toBe("The title");
    expect(document.blocks.map(({ kind }) => kind)).toEqual(["paragraph", "paragraph"]);
    expect(plainText([...allInlines(document)].filter(({ kind }) => kind === "text"))).toBe("loose boldparagraph");
  });

  it("keeps line breaks and spaces of code, and its language", () => {
    expect(blocks('<pre><code class="language-python">a\n  b\n\nc</code></pre>')).toEqual([
      { kind: "code", language: "python", text: "a\n  b\n\nc" },
    ]);
  });

  it("reads tables with spans as even rows", () => {
    const html =
      "<table><caption>Cap</caption><tr><th>a<th>b<th align=right>c</tr><tr><td rowspan=2>1<td colspan=2>2</tr><tr><td>3<td>4</tr></table>";
    const [caption, table] = blocks(html);
    expect(caption?.kind).toBe("paragraph");
    expect(table).toMatchObject({
      align: [null, null, "right"],
      rows: [
        [[{ text: "1" }], [{ text: "2" }], []],
        [[], [{ text: "3" }], [{ text: "4" }]],
      ],
    });
  });

  it("reads lists in lists, tasks, quotes, figures and drawings", () => {
    expect(blocks("<ul><li>a<ol start=3><li>b</ol><li><input type=checkbox checked>c</ul>")).toMatchObject([
      { items: [{ blocks: [{ kind: "paragraph" }, { kind: "list", ordered: true, start: 3 }] }, { done: true }] },
    ]);
    expect(blocks("<figure><img src=a.png alt=A width=40><figcaption>Cap</figcaption></figure>")).toEqual([
      { kind: "image", src: "a.png", alt: "A", width: 40, caption: "Cap" },
    ]);
    expect(blocks('<p><svg width="9" height="9"><rect/></svg></p>')).toMatchObject([
      { kind: "image", src: expect.stringMatching(/^data:image\/svg/) },
    ]);
  });

  it("keeps blocks in cells on separate lines", () => {
    const [table] = blocks("<table><tr><td><ul><li>one<li>two</ul></td><td><p>a</p><p>b</p></td></tr></table>");
    const lines =
      table?.kind === "table"
        ? table.rows[0]?.map((cell) =>
            cell.map((each) => (each.kind === "break" ? "/" : "text" in each ? each.text : "")).join(""),
          )
        : [];
    expect(lines).toEqual(["• one/• two", "a/b"]);
  });

  it("finds citations as tokens and as elements, and page breaks", () => {
    const document = readHtml(
      '<p>A [[S:2]] <sup class="x cite" data-sids="1,3">n</sup></p><div style="page-break-before: always">B</div>',
    );
    const cited = [...allInlines(document)].flatMap((each) => (each.kind === "citation" ? [each.sids] : []));
    expect(cited).toEqual([[2], [1, 3]]);
    expect(document.blocks[1]).toEqual({ kind: "page-break" });
  });
});
