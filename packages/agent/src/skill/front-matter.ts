/**
 * The lines between two `---` at the top of a markdown file, in the part of YAML that such files use: `name: value`,
 * plain or quoted, on one line or continued on indented lines; or a block of indented lines after `>` (joined by spaces)
 * or `|` (unchanged). A nested list or mapping is read as one text.
 */

/** `body`: the text after the second `---`; the whole text without front matter. */
export function readFrontMatter(source: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const lines = source.replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.findIndex((line, at) => at > 0 && isMark(line));
  if (!isMark(lines[0]) || end === -1) return { fields: new Map(), body: source };
  const fields = new Map<string, string>();
  for (let at = 1; at < end; at++) {
    const colon = lines[at]?.indexOf(":") ?? -1;
    const name = lines[at]?.slice(0, Math.max(0, colon)) ?? "";
    if (!/^[A-Za-z][\w-]*$/.test(name)) continue;
    const first = lines[at]?.slice(colon + 1).trim() ?? "";
    const more: string[] = [];
    while (at + 1 < end && /^(?:\s|$)/.test(lines[at + 1] ?? "")) more.push((lines[++at] ?? "").trim());
    fields.set(name, readValue(first, more));
  }
  const rest = lines.slice(end + 1).join("\n");
  return { fields, body: rest.trimStart() };
}

function isMark(line: string | undefined): boolean {
  return line?.trimEnd() === "---";
}

function readValue(first: string, more: readonly string[]): string {
  const block = /^([>|])[0-9+-]*(?:\s+#.*)?$/.exec(first)?.[1];
  if (block !== undefined) return more.join(block === ">" ? " " : "\n").trim();
  const value = [first, ...more].filter((line) => line !== "").join(" ");
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(value)?.[1];
  if (double !== undefined) return double.replace(/\\(["\\])/g, "$1");
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(value)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return value.replace(/(?:^|\s)#.*$/, "").trimEnd();
}
