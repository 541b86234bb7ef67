/** Tests questions about tables that derive columns, ask for several results, or are refused by name. */
import { describe, expect, it } from "vitest";
import { Desk } from "../../test/offline-desk.ts";

const SALES = `date,region,product,units,price
2026-01-05,North,Pen,3,2
2026-02-02,South,Book,4,5
2026-01-20,South,Pen,5,2
2026-04-09,North,Lamp,1,30
`;
const BUDGET = "category;planned;actual\nRent;1.000,00;1.050,50\nFood;400,00;380,25\nFun;100,00;180,00\n";
const STAFF = "name,team,salary\nAda,Lab,5200\nBen,Shop,3100\nCleo,Lab,4800\n";

async function ask(question: string, table: string, name = "sales.csv"): Promise<string> {
  return (await new Desk().say(question, { [name]: table })).text;
}

describe("a question about derived columns", () => {
  it.each([
    ["units per month", "| 2026-01 | 8 |\n| 2026-02 | 4 |\n| 2026-04 | 1 |"],
    ["total units by quarter", "| 2026 Q1 | 12 |\n| 2026 Q2 | 1 |"],
    ["weekly units", "| 2026-W02 | 3 |"],
    ["Sum of units by year", "| 2026 | 13 |"],
    ["Which month has the highest units?", "**8** (date (month): **2026-01**)"],
    ["units pro Monat", "| 2026-02 | 4 |"],
    ["total revenue (units times price)", "Sum of units × price: **66** (all 4 rows of sales.csv)"],
    ["total of units * price by region", "| North | 36 |\n| South | 30 |"],
    ["sum of price times units in the South", "Sum of price × units: **30** · region = South"],
    ["How many sales were there in the North?", "Rows: **2** · region = North"],
    ["Which product is the most expensive?", "Highest price: **30** (product: **Lamp**)"],
    ["Which product is the cheapest?", "Lowest price: **2** (product: **Pen**)"],
    ["Welches Produkt ist das teuerste?", "Höchster Wert von price: **30** (product: **Lamp**)"],
    ["Which products are cheaper than 5?", "Rows: **2** · price \\< 5"],
    ["average price in January and February", "Average of price: **3** · date: january / february"],
    ["How many orders are there?", "Rows: **4**"],
    ["best selling product", "Highest sum of units: **8** (product: **Pen**)"],
    ["@/home/me/files/sales.csv sum of units by product", "| Pen | 8 |\n| Book | 4 |\n| Lamp | 1 |"],
  ])("%s", async (question, expected) => expect(await ask(question, SALES)).toContain(expected));

  it.each([
    [
      "What is the difference between actual and planned for each category?",
      "| Rent | 50.5 |\n| Food | -19.75 |\n| Fun | 80 |",
    ],
    ["actual minus planned", "| Rent | 50.5 |\n| Food | -19.75 |"],
    ["Which category is most over budget?", "Highest actual − planned: **80** (category: **Fun**)"],
    ["In which category is actual higher than planned?", "| Rent | 1.000,00 | 1.050,50 |\n| Fun |"],
    ["Which categories are under budget?", "| Food | 400,00 | 380,25 |"],
    ["Which category has the largest difference between planned and actual?", "**80** (category: **Fun**)"],
    ["Is actual higher than planned?", "Rows: **2** · actual > planned"],
    ["total actual minus total planned", "Sum of actual − planned: **110.75**"],
    ["planned vs actual by category", "| Fun | 180 |"],
    ["Which categories are over budget?", "Rows: **2** · actual > planned"],
    ["In welcher Kategorie ist actual höher als planned?", "actual > planned"],
    ["Was ist die Differenz zwischen actual und planned pro category?", "| Rent | 50,5 |"],
  ])("%s", async (question, expected) => expect(await ask(question, BUDGET, "budget.csv")).toContain(expected));

  it("a salary is compared by its verb", async () =>
    expect(await ask("Who earns more than 4000?", STAFF)).toContain("Rows: **2** · salary > 4000"));

  it("the highest salary is not the sum of salaries of a team", async () => {
    expect(await ask("who earns the most?", STAFF)).toContain("Highest salary: **5200** (name: **Ada**)");
    expect(await ask("Which team has the lowest salary?", STAFF)).toContain("**3100** (team: **Shop**)");
  });
});

describe("a question for several results", () => {
  it("gets all of them, and a group at the end is the group of each", async () => {
    const both = await ask("Sum of units and average price by region", SALES);
    expect(both).toContain("Sum of units (all 4 rows of sales.csv)");
    expect(both).toContain("| South | 9 |");
    expect(both).toContain("Average of price (all 4 rows");
    expect(both).toContain("| South | 3.5 |");
    expect(await ask("highest and lowest price", SALES)).toMatch(/Highest price: \*\*30[\s\S]*Lowest price: \*\*2\*/);
    const sums = await ask("Wie hoch ist die Summe von actual und von planned?", BUDGET);
    expect(sums).toContain("Summe von planned: **1500**");
    expect(sums).toContain("Summe von actual: **1610,75**");
  });

  it("gets the results that are understood, and the words that are not", async () => {
    const text = await ask(
      "What is the total revenue by region, and which region has the highest average price?",
      SALES,
    );
    expect(text).toContain("(“revenue”), so I compute nothing.");
    expect(text).toContain("Try “sum of units \\* price by region”.");
    expect(text).toContain("Highest average of price: **16** (region: **North**)");
  });
});

describe("a refusal", () => {
  it("suggests no sum of prices or ages", async () =>
    expect(await ask("total bonus salary per person", STAFF)).toContain("Try “average of salary by team”."));

  it.each([
    ["sales by region", SALES, "(“sales”), so I compute nothing", "Try “sum of units \\* price by region”."],
    ["total net units per region", SALES, "(“net”)", "Try “sum of units by region”."],
    ["Summe von Café pro category", BUDGET, "(“Café”)", "Versuche „Summe von actual nach category“."],
    ["units by month and region", SALES, "not what to compute", "Try “sum of units by region”."],
    ["units times price minus units", SALES, "(“minus”)", "Try “sum of units by region”."],
    ["units last month", SALES, "", ""],
  ])("%s names the words and suggests a wording", async (question, table, unknown, wording) => {
    const text = await ask(question, table);
    expect(text).toContain(unknown);
    expect(text).toContain(wording);
    expect(text).not.toContain("**");
    const [, suggested] = /(?:Try “|Versuche „)([^”“]+)[”“]/.exec(text) ?? [];
    if (suggested !== undefined) expect(await ask(suggested.replaceAll("\\", ""), table)).toMatch(/\| --- \|/);
  });
});
