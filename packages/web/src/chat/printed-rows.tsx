/** The conversation in print: every loaded row, under its title. */
import { appStore } from "../state/app-state.ts";
import { useStore } from "../state/store.ts";
import { RowView } from "./row-view.tsx";
import type { Row } from "./rows.ts";

export function PrintedRows({ rows, hasOlder }: { readonly rows: readonly Row[]; readonly hasOlder: boolean }) {
  const title = useStore(appStore, (state) => state.session?.view.title ?? null);
  return (
    <div className="mx-auto w-full max-w-[44rem]">
      {title === null || title === "" ? null : (
        <p dir="auto" className="text-xl font-semibold">
          {title}
        </p>
      )}
      {hasOlder ? (
        <p className="mt-2 text-sm text-faint">
          Earlier turns are left out. “Print” in the menu of the conversation prints all of them.
        </p>
      ) : null}
      {rows.map((row) => (
        <RowView key={row.key} row={row} />
      ))}
    </div>
  );
}
