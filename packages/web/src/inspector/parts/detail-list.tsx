/** A list of facts with their names, one below the other. */
import type { ReactNode } from "react";

export function DetailList({ children }: { readonly children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">{children}</dl>;
}

/** One fact; nothing is shown for null or an empty value. */
export function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === null || children === "") return null;
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="font-mono [overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </>
  );
}
