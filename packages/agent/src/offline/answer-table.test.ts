/** Tests questions about attached tables: every number is right, or nothing is computed. */
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFromTable } from "./answer-table.ts";
import { readTable } from "./read-table.ts";
import type { ReadTurn } from "./read-view.ts";
import { Situation } from "./situation.ts";

const SALES = `City,Region,Date,Sales,Discount
Solingen,West,2026-01-15,800,5%
Trier,South,2026-01-20,1250.50,0%
Berlin,East,2025-02-03,4300,10%
Trier,South,2026-03-01,749.50,
Köln,West,2026-03-05,2100,3%
`;
const UMSATZ = "Stadt;Umsatz;Mitarbeiter\r\nSolingen;1.200,50;4\r\nTrier;3.499,50;9\r\nKöln;2.000;7\r\n";
const MONATE = "Monat;Umsatz\nJan;1200\nFeb;1500\nMär;900\n";
const VENTES = "Ville;Ventes;Année\nParis;1 200,5;2024\nLyon;800;2024\nNice;950;2025\n";
const SHEET =
  "[sheet Sales]\n| Sales by region |\n| Region | Sales | Growth |\n| Trier | 1200.5 | 12.5% |\n| Köln | 800 | -2.0% |\n| Total | 2000.5 |  |";

/** The answer about one attached file that was read; null if the question is not about it. */
function ask(question: string, text: string, name = "t.csv", { isClipped = false, status = "{}" } = {}): string | null {
  const path = `fi:turn_1.user.attachments/${name}`;
  const read = { callId: "tc_1", tool: "react.read", isClipped, binary: null };
  const turn: ReadTurn = {
    id: "turn_1",
    prompts: [question],
    attachments: [{ name, mime: "text/csv", path, binary: null }],
    calls: [],
    findings: [
      { ...read, path: "tc:turn_1.tc_1.result", text: status },
      { ...read, path, text },
    ],
    failures: new Map(),
    unreadable: new Map(),
    violations: [],
    answer: null,
  };
  const pool = [{ sid: 1, place: path, label: name }];
  const timeline = { turns: [turn], notes: [], summaries: [], pool, isLastDecision: false, now: null };
  const input = { timeline, documents: new Map(), offered: new Set<string>(), place: null, listing: null };
  return answerFromTable(new Situation(input, turn), question)?.text.split("\n\n_")[0] ?? null;
}

describe("a question about a table is answered from all its rows", () => {
  it.each([
    [
      "Which city has the highest sales?",
      "Highest sum of Sales: **4300** (City: **Berlin**) (all 5 rows of t.csv). [[S:1]]",
    ],
    ["What is the lowest discount?", "Lowest Discount: **0 %** (City: **Trier**) (4 of the 5 rows of t.csv)."],
    ["What are the total sales?", "Sum of Sales: **9200** (all 5 rows of t.csv)."],
    ["average sales in Trier", "Average of Sales: **1000** · City = Trier (2 of the 5 rows of t.csv)."],
    ["What is the average discount?", "Average of Discount: **4.5 %** (4 of the 5 rows"],
    ["How many rows are in t.csv?", "Rows: **5**"],
    ["How many cities are there?", "Different values of City: **4**"],
    ["How many cities have sales over 800?", "Different values of City: **3** · Sales > 800 (3 of the 5 rows"],
    [
      "What are the total sales of the region West?",
      "Sum of Sales: **2900** · Region = West (2 of the 5 rows of t.csv).",
    ],
    ["average sales in the South region", "Average of Sales: **1000** · Region = South (2 of"],
    ["total sales where city = “Trier”", "Sum of Sales: **2000** · City = Trier (2 of"],
    [
      "Which city in the region South has the highest sales?",
      "Highest sum of Sales: **2000** (City: **Trier**) · Region = South",
    ],
    ["total sales of Trier and Berlin", "Sum of Sales: **6300** · City = Berlin / Trier (3 of"],
    ["total sales in the west in 2026", "Sum of Sales: **2900** · Region = West · Date = 2026 (2 of"],
    ["Sum of sales in January", "Sum of Sales: **2050.5** · Date: january (2 of"],
    ["How many rows have sales between 800 and 2,100?", "Rows: **3** · Sales ≥ 800 · Sales ≤ 2,100"],
    ["Average discount for sales above 2000", "Average of Discount: **6.5 %** · Sales > 2000 (2 of"],
    ["sum of sales by region", "| West | 2900 |\n| South | 2000 |\n| East | 4300 |"],
    ["number of rows per city", "| Trier | 2 |\n| Berlin | 1 |"],
    ["Show me only the rows of the West", "Rows: **2** · Region = West (2 of the 5 rows of t.csv)."],
    ["How many people work in the region West?", "Rows: **2** · Region = West (2 of the 5 rows of t.csv)."],
    ["Which region has the lowest average sales?", "Lowest average of Sales: **1000** (Region: **South**)"],
    ["Which region has the highest sum of sales?", "Highest sum of Sales: **4300** (Region: **East**)"],
    ["Which region has the lowest total sales?", "Lowest sum of Sales: **2000** (Region: **South**)"],
    ["Which city sold most sales?", "Highest sum of Sales: **4300** (City: **Berlin**)"],
    ["Which city has sold the most sales?", "Highest sum of Sales: **4300** (City: **Berlin**)"],
    ["What is the mean of sales?", "Average of Sales: **1840** (all 5 rows"],
    ["What is the mean discount?", "Average of Discount: **4.5 %** (4 of the 5 rows"],
    ["top 2 cities by sales", "| Berlin | 4300 |\n| Köln | 2100 |"],
    ["Which sales are over 2000?", "| Berlin | East | 2025-02-03 | 4300 | 10% |\n| Köln |"],
    ["What are the sales in Solingen?", "Sales: **800** · City = Solingen (1 of the 5 rows of t.csv). [[S:1]]"],
    ["What were the sales in February?", "Sales: **4300** · Date: february (1 of"],
    ["Show me the table", "| Solingen | West | 2026-01-15 | 800 | 5% |\n| Trier |"],
    ["What is in t.csv?", "Rows: **5** (all 5 rows of t.csv). [[S:1]]"],
    ["show the first two rows", "Rows: **2** (2 of the 5 rows"],
    ["the last row", "| Köln | West | 2026-03-05 | 2100 | 3% |"],
    ["sort by sales, descending", "| Berlin | East | 2025-02-03 | 4300 | 10% |\n| Köln |"],
    ["total sales in the North over 99999", null],
    ["total sales of the West over 99999", "No row fits · Region = West · Sales > 99999 (0 of"],
  ])("%s", (question, expected) => {
    const said = ask(question, SALES);
    if (expected === null) expect(said).not.toMatch(/\*\*/);
    else expect(said).toContain(expected);
  });

  it.each([
    ["Zeige mir die ersten zwei Zeilen", UMSATZ, "| Solingen | 1.200,50 | 4 |\n| Trier |"],
    ["Wie hoch ist der Umsatz im März?", "Month,Revenue\nFeb,7\nMar,9\n", "Revenue: **9** · Month = marz"],
    ["Umsatz im März", MONATE, "Umsatz: **900** · Monat = marz"],
    ["trie par ventes", VENTES, "| Lyon | 800 | 2024 |\n| Nice |"],
    ["Welche Stadt hat den höchsten Umsatz?", UMSATZ, "Höchster Wert von Umsatz: **3499,5** (Stadt: **Trier**)"],
    ["Wie hoch ist der Umsatz insgesamt?", UMSATZ, "Summe von Umsatz: **6700**"],
    ["Durchschnitt der Mitarbeiter", UMSATZ, "Durchschnitt von Mitarbeiter: **≈ 6,6667**"],
    ["Welche Städte haben mehr als 1.500 Umsatz?", UMSATZ, "Zeilen: **2** · Umsatz > 1.500"],
    [
      "Quelle ville a les ventes les plus élevées ?",
      VENTES,
      "Valeur la plus élevée de Ventes: **1200,5** (Ville: **Paris**)",
    ],
    ["Quelle ville a le moins de ventes ?", VENTES, "Valeur la plus basse de Ventes: **800** (Ville: **Lyon**)"],
    ["moyenne des ventes en 2024", VENTES, "Moyenne de Ventes: **1000,25** · Année = 2024"],
    ["Combien de villes y a-t-il ?", VENTES, "Valeurs différentes de Ville: **3**"],
    ["combien de lignes ont plus de 900 ventes ?", VENTES, "Lignes: **2** · Ventes > 900"],
  ])("%s", (question, table, expected) => expect(ask(question, table)).toContain(expected));

  it.each(["What is the discount tax per city?", "Sales minus discount for Trier"])(
    "%s is not understood, which the answer says with the names of the columns",
    (question) => expect(ask(question, SALES)).toContain("Its columns are City, Region, Date, Sales, Discount."),
  );

  it("a question about the meaning of a word does not compute a mean", () =>
    expect(ask("What does discount mean?", SALES)).toBeNull());

  it("a sheet has a title above its header, and its total does not count twice", () => {
    expect(ask("What are the total sales?", SHEET, "s.xlsx")).toContain(
      "Sum of Sales: **2000.5** (all 2 rows of s.xlsx, sheet Sales). Left out: Total.",
    );
    expect(ask("Which region has the lowest growth?", SHEET, "s.xlsx")).toContain("**-2 %** (Region: **Köln**)");
  });

  it("sums, counts and extremes of any numbers are correct", () => {
    const numbers = fc.array(
      fc.record({ cents: fc.integer({ min: -1e12, max: 1e12 }), name: fc.constantFrom("ab", "cd") }),
      { minLength: 1 },
    );
    const spelled = (cents: number) =>
      `${cents < 0 ? "-" : ""}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
    const plain = (cents: number) =>
      spelled(cents)
        .replace(/\.?0+$/, "")
        .replace(/^-0?$/, "0");
    fc.assert(
      fc.property(numbers, (rows) => {
        const table = `Name,Price\n${rows.map(({ cents, name }) => `${name},${spelled(cents)}`).join("\n")}`;
        const sum = rows.reduce((all, { cents }) => all + cents, 0);
        expect(ask("sum of price", table)).toContain(`**${plain(sum)}**`);
        expect(ask("highest price", table)).toContain(`**${plain(Math.max(...rows.map(({ cents }) => cents)))}**`);
        expect(ask("how many rows?", table)).toContain(`**${rows.length}**`);
      }),
      { numRuns: runs },
    );
  });
});

describe("nothing is computed", () => {
  it("if the question has a word that is not understood", () => {
    for (const question of [
      "total sales not in Trier",
      "total net sales",
      "sum of sales in Trier or West",
      "average sales without Berlin",
    ])
      expect(ask(question, SALES)).toContain("I did not understand every word");
    fc.assert(
      fc.property(
        fc.stringMatching(/^[bcdfg]{5,9}$/),
        fc.constantFrom("total sales", "average sales in Trier", "how many rows"),
        (word, question) => {
          expect(ask(`${question} ${word}`, SALES) ?? "").not.toContain("**");
        },
      ),
      { numRuns: runs },
    );
  });

  it.each(["What is Cairn?", "Where does the train leave?", "Who are you?"])("for %s", (question) => {
    expect(ask(question, SALES)).toBeNull();
  });

  it("from a table of which only a part is in view", () => {
    expect(ask("What are the total sales?", SALES, "t.csv", { isClipped: true })).toContain(
      "only the beginning of t.csv",
    );
    const status = JSON.stringify({ lines: { "fi:turn_1.user.attachments/t.csv": "1-5" } });
    expect(ask("What are the total sales?", SALES, "t.csv", { status })).toContain("only the beginning of t.csv");
  });

  it("from a column in which a cell is not a number", () => {
    expect(ask("sum of b", "a,b\nx,1\ny,about 2")).not.toContain("**");
  });
});

describe("a table is read", () => {
  it("with quoted cells, empty columns and marks of currencies", () => {
    const read = readTable('\ufeff"a, b";c;\n"x ""y""\nz";€1.000;\n;2,5 €;');
    expect(read?.columns.map(({ name, cells, unit }) => [name, cells, unit])).toEqual([
      ["a, b", ['x "y"\nz', ""], ""],
      ["c", ["€1.000", "2,5 €"], "€"],
    ]);
  });

  it("with commas as marks of thousands or decimals, which the other cells and the delimiter decide", () => {
    const firstOf = (text: string) => Number(readTable(text)?.columns[1]?.numbers?.[0]?.over);
    expect(firstOf("a\tb\nx\t1,000")).toBe(1000);
    expect(firstOf("a;b\nx;1.000")).toBe(1000);
    expect(firstOf("a,b\nx,1.000")).toBe(1);
    expect(firstOf("a\tb\nx\t1.000\ny\t2,5")).toBe(1000);
  });
});
