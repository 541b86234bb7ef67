/** A file's name in little room: its middle goes first, as the end tells a report from its document. */

/** As much of the end as stays, ".tar.gz" included. */
const ENDING = /(?:\.[\p{L}\p{N}]{1,5}){1,2}$/u;

export function ShortName({ name }: { readonly name: string }) {
  const ending = ENDING.exec(name)?.[0] ?? "";
  return (
    <>
      <span className="truncate">{name.slice(0, name.length - ending.length)}</span>
      {ending === "" ? null : <span className="shrink-0">{ending}</span>}
    </>
  );
}
