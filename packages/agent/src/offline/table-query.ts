/** What a question about a table asks for. */

import type { Column } from "./read-table.ts";
import type { Operation } from "./table-words.ts";

export interface Condition {
  readonly text: string;
  readonly holds: (row: number) => boolean;
}

export interface TableQuery {
  readonly operation: Operation | "rows";
  /** The column that is computed, or whose values are asked for; null to count or list rows. */
  readonly of: Column | null;
  /** Results are grouped by this column. For `highest` and `lowest`, the answer is one of its values. */
  readonly by: Column | null;
  /** What of each group is compared; null if the question does not say it. */
  readonly measure: "sum" | "average" | null;
  /** The number in `top 3`. */
  readonly most: number | null;
  readonly conditions: readonly Condition[];
  /** The order of listed rows; null for the order in the file. */
  readonly order: { readonly column: Column; readonly isDescending: boolean } | null;
  /** How many rows are listed, from the beginning or from the end; null for all. */
  readonly part: { readonly count: number; readonly isEnd: boolean } | null;
}

/** The message asks for a number of this table, but does not say which in words that are understood. */
export interface Unclear {
  /** The words that are not understood, in lower case and without accents. */
  readonly unknown: readonly string[];
  /** The columns that the message names. */
  readonly named: readonly Column[];
  /** Whether it asks for a product of two columns of the table, such as the revenue, which is no column. */
  readonly isRevenue: boolean;
}

/** The queries of a message; null if it asks nothing about the table. */
export type Understood = readonly TableQuery[] | Unclear | null;
