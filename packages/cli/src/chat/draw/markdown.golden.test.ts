/** Tests Markdown as the terminal draws it, at three widths, with characters of all widths. */
import { styleText } from "node:util";
import { expect, it } from "vitest";
import { drawMarkdown } from "./markdown.ts";
import { type Pen, widthOf } from "./style.ts";

const TEXT = `# Die Wuppertaler Schwebebahn: a suspension railway above the river

It opened in **1901** and carries *80,000* people a day, see [Schwebebahn](https://example.org/railway/history?page=1)
or [https://example.org](https://example.org). Its track is \`13.3 km\` long &amp; ~~two~~ three cities wanted it.

懸垂式鉄道は一九〇一年に開業し、現在も毎日約八万人を運んでいる。全長は十三・三キロメートルである。 The line 🚡👩‍👩‍👧‍👦🇩🇪 is old.

הרכבת התלויה נפתחה בשנת 1901 ומסיעה שמונים אלף נוסעים ביום לאורך הנהר.

1. First, buy a ticket, which is also valid in the buses of the whole town
   - one way
   - return, with \`--both\`

   Keep it.
2. Then go up
- [x] look down
- [ ] look up

> A quotation that is long enough to be wrapped at forty columns.
>
> > And one inside.

\`\`\`python
def ride(stations, ticket="single"):
\tfor station in stations: print(f"{station:>20} {ticket} and a line that is much too long for a narrow terminal")

    return None
\`\`\`

| Station | 駅 | Passengers a day | Remark |
|:--|:-:|--:|---|
| Hauptbahnhof | 中央駅 | 23,400 | the **busiest** of all, beside the [railway](https://example.org) |
| Zoo/Stadion 🦁 | 動物園 | 1,200 | busy on Sundays |

---
averyveryverylongwordwithoutanyspacethatnoterminalcouldeverdrawinasinglelineofitsfortycolumns
`;

const plain = (width: number): Pen => ({ width, hasColour: false, paint: (_, text) => text });

it.each([40, 80, 120])("Markdown fits %i columns without colours", async (width) => {
  const lines = drawMarkdown(TEXT, plain(width));
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/markdown-${width}.txt`);
});

it("colours mark emphasis, code and links, and begin again in each line", async () => {
  const paint: Pen["paint"] = (style, text) => styleText(style, text, { validateStream: false });
  const lines = drawMarkdown(TEXT, { width: 40, hasColour: true, paint });
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  await expect(`${lines.join("\n").replaceAll("\x1b", "␛").replaceAll("\x07", "␇")}\n`).toMatchFileSnapshot(
    "golden/markdown-colour.txt",
  );
});

it("a table with more columns than fit is drawn as records", () => {
  const table = `|a|b|c|d|\n|-|-|-|-|\n|1 long cell|2 long cell|3 long cell|4 long cell|\n|5|6|7|8|`;
  expect(drawMarkdown(table, plain(20))).toEqual([
    "a: 1 long cell",
    "b: 2 long cell",
    "c: 3 long cell",
    "d: 4 long cell",
    "────────",
    "a: 5",
    "b: 6",
    "c: 7",
    "d: 8",
  ]);
});

it("a link shows the host it leads to, and only web addresses are links", () => {
  const paint: Pen["paint"] = (_, text) => text;
  const draw = (text: string) => drawMarkdown(text, { width: 80, hasColour: true, paint });
  expect(draw("[https://bank.example](https://evil.example/x)")).toEqual([
    "\x1b]8;;https://evil.example/x\x07https://bank.example\x1b]8;;\x07 (evil.example)",
  ]);
  expect(draw("[run](file:///bin/sh)")).toEqual(["run"]);
});

it("text that would overload the parser is drawn as it is", () => {
  expect(drawMarkdown("> ".repeat(50), plain(200))).toEqual([`${"> ".repeat(50)}`.trimEnd()]);
});
