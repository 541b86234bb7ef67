/** Tests the charts that the program draws: it runs here, and the titles of its bars name labels and values. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chartProgram } from "./chart-program.ts";

const DAYS =
  "date,region,units,price\n2026-01-05,North,3,2\n2026-02-02,South,4,5\n2026-01-20,South,5,1\n2026-04-09,North,1,1\n";
const BUDGET = "category;planned;actual\nRent;1.000,00;1.050,50\nFood;400,00;380,25\n";

/** The picture of a table, or the last line of the error. */
function drawn(table: string, ...messages: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-chart-"));
  const [source, target] = [join(folder, "t.csv"), join(folder, "t.svg")];
  try {
    writeFileSync(source, table);
    const code = chartProgram({ source, target, messages });
    execFileSync("python3", ["-c", code], { stdio: "pipe" });
    return readFileSync(target, "utf8");
  } catch (error) {
    return String(error).trim().split("\n").at(-1) ?? "";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const titles = (svg: string) => [...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title);

describe("dates are grouped by the period that the message names", () => {
  it.each([
    ["plot units per month as a bar chart", ["2026-01: 8", "2026-02: 4", "2026-04: 1"], "sum of units / month of date"],
    ["Draw a bar chart of monthly units", ["2026-01: 8", "2026-02: 4", "2026-04: 1"], "sum of units / month of date"],
    ["plot units by quarter", ["2026 Q1: 12", "2026 Q2: 1"], "sum of units / quarter of date"],
    ["plot units by week", ["2026-W02: 3", "2026-W04: 5", "2026-W06: 4", "2026-W15: 1"], "units / week of date"],
    ["Zeichne ein Diagramm von units pro Jahr", ["2026: 13"], "sum of units / year of date"],
    ["plot units by date", ["2026-01-05: 3", "2026-02-02: 4", "2026-01-20: 5", "2026-04-09: 1"], "units / date"],
  ])("%s", (message, bars, title) => {
    const svg = drawn(DAYS, message);
    expect(titles(svg)).toEqual(bars);
    expect(svg).toContain(`${title}</text>`);
  });

  it("a column with the name of the period is used as it is, and a later request for another column wins", () => {
    expect(titles(drawn("month,units\nMar,2\nApr,3\n", "plot units by month"))).toEqual(["Mar: 2", "Apr: 3"]);
    expect(titles(drawn(DAYS, "now by region", "plot units per month"))).toEqual(["North: 4", "South: 9"]);
    expect(titles(drawn(DAYS, "now as bars", "plot units per month")).length).toBe(3);
  });

  it("a table without dates is not drawn by month", () => {
    expect(drawn("city,units\nTrier,2\nBonn,3\n", "plot units per month")).toContain(
      "the chart needs one column of dates such as 2026-01-31 or 31.1.2026 to group by month, and the table has 0",
    );
  });
});

describe("two named columns", () => {
  it.each([
    ["plot units times price by region", ["North: 7", "South: 25"], "sum of units × price / region"],
    ["bar chart of units * price per month", ["2026-01: 11", "2026-02: 20", "2026-04: 1"], "units × price / month of"],
  ])("are multiplied: %s", (message, bars, title) => {
    const svg = drawn(DAYS, message);
    expect(titles(svg)).toEqual(bars);
    expect(svg).toContain(title);
  });

  it("are subtracted", () =>
    expect(titles(drawn(BUDGET, "plot the difference between actual and planned by category"))).toEqual([
      ...["Rent: 50.5", "Food: -19.75"],
    ]));
});

describe("rows with a value that the message names", () => {
  it("are drawn alone, and the title says it", () => {
    const svg = drawn(DAYS, "now as bars", "plot units per month for the North");
    expect(titles(svg)).toEqual(["2026-01: 3", "2026-04: 1"]);
    expect(svg).toContain("units / month of date (North)</text>");
    expect(titles(drawn(DAYS, "plot units by region", "plot units for the North"))).toHaveLength(2);
  });
});

describe("groups", () => {
  it.each([
    ["plot the average units by region", ["North: 2", "South: 4.5"], "average of units / region"],
    ["bar chart of the mean units for each region", ["North: 2", "South: 4.5"], "average of units / region"],
    [
      "plot units by region and month",
      ["2026-01, North: 3", "2026-01, South: 5", "2026-02, South: 4", "2026-04, North: 1"],
      "units / month of date and region",
    ],
  ])("%s", (message, bars, title) => {
    const svg = drawn(DAYS, message);
    expect(titles(svg)).toEqual(bars);
    expect(svg).toContain(`${title}</text>`);
  });

  it("have the names of two columns", () =>
    expect(titles(drawn("a,b,n\nx,u,1\nx,v,2\ny,u,3\n", "plot n by a and b"))).toEqual([
      "x, u: 1",
      "x, v: 2",
      "y, u: 3",
    ]));
});

describe("a column that the table lacks", () => {
  it.each([
    ["plot revenue by region", "the table has no column revenue. Its columns are date, region, units, price"],
    ["plot units by store", "the table has no column store."],
  ])("is not replaced by another one: %s", (message, expected) => expect(drawn(DAYS, message)).toContain(expected));

  it.each(["draw a bar chart of this csv by region", "now as a pie chart by region", "plot units by regions"])(
    "is not a word for a chart: %s",
    (message) => expect(titles(drawn(DAYS, message))).toHaveLength(2),
  );
});

describe("several named columns are several series", () => {
  it("as bars side by side and as lines, with their names", () => {
    const bars = drawn(BUDGET, "plot planned and actual by category");
    expect(titles(bars)).toEqual([
      ...["Rent, planned: 1000", "Rent, actual: 1050.5", "Food, planned: 400", "Food, actual: 380.25"],
    ]);
    expect(bars).toContain("planned and actual / category</text>");
    expect(drawn(BUDGET, "plot planned and actual by category as a line chart").match(/<polyline /g)?.length).toBe(2);
  });

  it("but not as a pie, which has one series", () => {
    expect(drawn(BUDGET, "pie chart of planned and actual by category")).toContain(
      "a pie chart shows one column, and the message names planned and actual.",
    );
  });
});
