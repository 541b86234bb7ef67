import { expect, it } from "vitest";
import { tableIn } from "./make-table.ts";

it.each([
  [
    "Turn this into a table: apples 3, pears 5, plums 12",
    "|   |   |\n| --- | --- |\n| apples | 3 |\n| pears | 5 |\n| plums | 12 |",
  ],
  ["Make a table: name, age; Ann 34; Bob 29", "| name | age |\n| --- | --- |\n| Ann | 34 |\n| Bob | 29 |"],
  ["Mach daraus eine Tabelle:\nBonn: alt\nKöln: älter", "|   |   |\n| --- | --- |\n| Bonn | alt |\n| Köln | älter |"],
])("%j becomes a table", (message, table) => {
  expect(tableIn(message)).toBe(table);
});

it.each(["Make a table of the planets", "Make a table: the planets", "What is in the table: apples 3, pears 5?"])(
  "%s lists no items for a table",
  (message) => {
    expect(tableIn(message)).toBe(null);
  },
);
