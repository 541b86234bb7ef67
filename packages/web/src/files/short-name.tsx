/**
 * A file's name in little room: its middle goes. The end tells a report from its document, and the last letters before
 * that tell one part from the next.
 */

/** As much of the end as stays, ".tar.gz" included. */
const ENDING = /.{0,6}(?:\.[\p{L}\p{N}]{1,5}){1,2}$/u;
/** Of a name without an ending. */
const LAST = /.{0,6}$/u;

/** The name in two: what may be cut, and what stays. */
export function nameParts(name: string): readonly [string, string] {
  const end = (ENDING.exec(name) ?? LAST.exec(name))?.[0] ?? "";
  return [name.slice(0, name.length - end.length), end];
}

export function ShortName({ name }: { readonly name: string }) {
  const [start, end] = nameParts(name);
  return (
    <>
      {start === "" ? null : <span className="truncate whitespace-pre">{start}</span>}
      <span className="shrink-0 whitespace-pre">{end}</span>
    </>
  );
}
