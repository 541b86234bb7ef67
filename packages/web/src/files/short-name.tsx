/** Shortens a file's name in the middle, because the extension and the last characters before it distinguish files. */

/** The end that is always shown, including ".tar.gz". */
const ENDING = /.{0,6}(?:\.[\p{L}\p{N}]{1,5}){1,2}$/u;
/** The last characters of a name without an extension. */
const LAST = /.{0,6}$/u;

/** The name in two parts: the first may be cut, and the second is always shown. */
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
