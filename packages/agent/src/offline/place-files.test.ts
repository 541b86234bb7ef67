import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeFiles } from "./place-files.ts";

const ATTACHED = new Map([["sales.csv", "turn_1/attachments/sales.csv"]]);
const place = (code: string) => placeFiles(code, "turn_2", ATTACHED);

describe("a pasted program", () => {
  it("reads files of the conversation by their names", () => {
    expect(place('rows = open("sales.csv").read()')).toEqual({
      code: 'rows = open("turn_1/attachments/sales.csv").read()',
      contract: [],
    });
  });

  it.each([
    ['open("a b.txt", "w")', "a b.txt"],
    ["open('chart.svg', mode='wb')", "chart.svg"],
    ['plt.savefig("chart.png", dpi=100)', "chart.png"],
    ['frame.to_csv("out.csv")', "out.csv"],
    ['Path("notes.md").write_text("x")', "notes.md"],
    ['await writeFile("data.json", text)', "data.json"],
    ['Deno.writeTextFileSync("data.json", text)', "data.json"],
  ])("writes files of the turn and declares them in its contract: %s", (code, name) => {
    const path = `turn_2/files/${name}`;
    expect(place(code)).toEqual({ code: code.replace(name, path), contract: [path] });
  });

  it("finds the files it wrote under their new names, even if an attachment has the same name", () => {
    expect(place('open("sales.csv", "w").write("x"); open("sales.csv")')).toEqual({
      code: 'open("turn_2/files/sales.csv", "w").write("x"); open("turn_2/files/sales.csv")',
      contract: ["turn_2/files/sales.csv"],
    });
  });

  it.each([
    'print("hello.txt")',
    'open("other.csv")',
    'open("/etc/a.txt", "w")',
    'open("../a.txt", "w")',
    'x = "sales"',
  ])("is left unchanged where it names no file of the conversation: %s", (code) =>
    expect(place(code)).toEqual({ code, contract: [] }),
  );

  it("keeps its number of lines, whatever it contains", () => {
    const piece = fc.constantFrom('"sales.csv"', 'open("a.txt", "w")', "\n", '"', "'", "open(", ".savefig(", "x", "{}");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.array(piece).map((all) => all.join("")),
        ),
        (code) => {
          const placed = place(code);
          expect(placed.code.split("\n")).toHaveLength(code.split("\n").length);
          const back = placed.code.replaceAll("turn_1/attachments/", "").replaceAll("turn_2/files/", "");
          expect(back).toBe(code);
          for (const path of placed.contract) expect(path).toMatch(/^turn_2\/files\/[^/]+$/);
        },
      ),
      { numRuns: runs },
    );
  });
});
