/** Delimited text as a table. Of a long text, only the first rows are shown. */
import { isFigure } from "../text/is-figure.ts";
import { REACHABLE } from "../ui/reachable.ts";
import { parseRows, separatorOf } from "./parse-rows.ts";

const MAX_ROWS = 500;
const MAX_COLUMNS = 60;
/** Maximum number of cells, so that the browser can lay them out quickly. */
const MAX_CELLS = 6_000;

export function DataTable({ text }: { readonly text: string }) {
  const [header = [], ...rows] = parseRows(text, separatorOf(text), MAX_ROWS + 2);
  const columns = Math.max(1, Math.min(MAX_COLUMNS, header.length));
  const shown = rows.slice(0, Math.min(MAX_ROWS, Math.ceil(MAX_CELLS / columns)));
  const isFigures = header.map(
    (_, column) => shown.length > 0 && shown.every((row) => isFigureOrEmpty(row[column] ?? "")),
  );
  const alignOf = (column: number) => (isFigures[column] === true ? { "data-align": "right", "data-figure": "" } : {});
  return (
    <section {...REACHABLE} aria-label="Table" className="min-h-0 flex-1 overflow-auto">
      <table className="data-table">
        <thead className="sticky top-0">
          <tr>
            {header.slice(0, MAX_COLUMNS).map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity.
              <th key={column} scope="col" {...alignOf(column)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity.
            <tr key={at}>
              {row.slice(0, MAX_COLUMNS).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity.
                <td key={column} {...alignOf(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length ? (
        <p className="sticky left-0 w-fit p-4 text-sm text-faint">The first {shown.length} rows are shown.</p>
      ) : null}
    </section>
  );
}

function isFigureOrEmpty(cell: string): boolean {
  return cell === "" || isFigure(cell);
}
