/** A table in a text. At first, only its first rows are shown, and all rows on request. */
import type { Tokens } from "marked";
import { useState } from "react";
import { isFigure } from "../text/is-figure.ts";
import { Button } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { Inline, plainText } from "./inline-token.tsx";

/** Maximum number of cells, so that a page with other content can lay them out quickly. */
const MAX_CELLS = 1_000;
/** Minimum number of shown rows, even of a wide table. */
const MIN_ROWS = 10;

/** Number of rows that are shown at first. */
function rowsAtFirst(rows: number, columns: number): number {
  return Math.min(rows, Math.max(MIN_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns))));
}

export interface AnswerTableProps {
  readonly table: Tokens.Table;
  readonly dir?: "auto";
}

export function AnswerTable({ table, dir }: AnswerTableProps) {
  const [isWhole, setWhole] = useState(false);
  const { header, rows } = table;
  const first = rowsAtFirst(rows.length, header.length);
  const shown = isWhole ? rows : rows.slice(0, first);
  return (
    <section className="table-scroll" {...REACHABLE} {...(dir === undefined ? {} : { dir })} aria-label="Table">
      <table className="data-table">
        <thead>
          <tr>{header.map((each, column) => cellOf("th", each, column))}</tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table never move.
            <tr key={at}>{row.map((each, column) => cellOf("td", each, column))}</tr>
          ))}
        </tbody>
      </table>
      {shown.length === rows.length ? null : (
        <p className="sticky left-0 flex w-fit items-center gap-2 px-3 py-1.5 font-sans text-xs text-faint">
          The first {first} of {rows.length} rows.
          <Button size="small" onClick={() => setWhole(true)}>
            All rows
          </Button>
        </p>
      )}
    </section>
  );
}

function cellOf(Tag: "th" | "td", { tokens, align }: Tokens.TableCell, key: number) {
  return (
    <Tag
      key={key}
      {...(align === null ? {} : { "data-align": align })}
      {...(isFigure(plainText(tokens)) ? { "data-figure": "" } : {})}
      {...(Tag === "th" ? { scope: "col" } : {})}
    >
      <Inline tokens={tokens} />
    </Tag>
  );
}
