/** Replaces file names in a pasted program: an input by the path of the attachment, an output by a file of the turn. */

const NAME = String.raw`(?<name>[^"'\\\n\r/{}<>|*?:]{1,120}\.[A-Za-z0-9]{1,8})`;
const LITERAL = String.raw`(?<quote>["'])${NAME}\k<quote>`;
/** Calls whose first string is an output file, in Python and in JavaScript. */
const WRITING = [
  String.raw`\bopen\(\s*${LITERAL}\s*,\s*(?:mode\s*=\s*)?["'][wax]`,
  String.raw`\.(?:savefig|save|to_csv|to_json|to_excel|to_html|write_image|write_html)\(\s*${LITERAL}`,
  String.raw`\bPath\(\s*${LITERAL}\s*\)\s*\.write_`,
  String.raw`\b(?:writeFile|writeFileSync|createWriteStream|writeTextFile|writeTextFileSync)\(\s*${LITERAL}`,
].map((pattern) => new RegExp(pattern, "gu"));
const MAX_FILES = 20;

/** `readable`: physical paths of existing files, by name. `contract`: output files, as physical paths. */
export function placeFiles(code: string, turn: string, readable: ReadonlyMap<string, string>) {
  const written = new Set<string>();
  for (const pattern of WRITING)
    for (const { groups } of code.matchAll(pattern))
      if (groups?.name !== undefined && written.size < MAX_FILES) written.add(groups.name);
  const paths = new Map(readable);
  for (const name of written) paths.set(name, `${turn}/files/${name}`);
  const placed = code.replaceAll(new RegExp(LITERAL, "gu"), (all, quote: string, name: string) => {
    const path = paths.get(name);
    return path === undefined ? all : `${quote}${path}${quote}`;
  });
  return { code: placed, contract: [...written].map((name) => `${turn}/files/${name}`) };
}
