/** Separated text as a table; its first rows, when there are many. */

import { REACHABLE } from "../ui/reachable.ts";
import { parseRows, separatorOf } from "./parse-rows.ts";

const MOST_ROWS = 500;
const MOST_COLUMNS = 60;

export function DataTable({ text }: { readonly text: string }) {
  const [header = [], ...rows] = parseRows(text, separatorOf(text), MOST_ROWS + 2);
  const shown = rows.slice(0, MOST_ROWS);
  return (
    <section {...REACHABLE} aria-label="Table" className="min-h-0 flex-1 overflow-auto">
      <table className="data-table">
        <thead className="sticky top-0">
          <tr>
            {header.slice(0, MOST_COLUMNS).map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity.
              <th key={column} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity.
            <tr key={at}>
              {row.slice(0, MOST_COLUMNS).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity.
                <td key={column} {...(isNumber(cell) ? { "data-align": "right" } : {})}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length ? (
        <p className="p-4 text-sm text-faint">The first {MOST_ROWS} rows are shown.</p>
      ) : null}
    </section>
  );
}

function isNumber(cell: string): boolean {
  return /^-?[\d.,  ]+%?$/.test(cell) && /\d/.test(cell);
}
