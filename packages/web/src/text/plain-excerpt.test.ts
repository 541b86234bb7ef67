import { expect, it } from "vitest";
import { plainExcerpt } from "./plain-excerpt.ts";

it.each([
  ["Rows: **10** · Sales > 3 (all rows of `t.csv`). [[S:1]]", "Rows: 10 · Sales > 3 (all rows of t.csv)."],
  ["“Quoted.” [[S:1,2]] More [[S:3]].", "“Quoted.” More."],
  ["src/**/*.ts and 2 ** 3 ** 4", "src/**/*.ts and 2 ** 3 ** 4"],
])("shows %j as %j", (text, shown) => expect(plainExcerpt(text)).toBe(shown));
