/**
 * The lines between two `---` at the top of a markdown file: `name: value`, quoted or not, or a block of indented lines
 * after `>` (joined by spaces) or `|` (as they are). This is the part of YAML that such files use; anything else is
 * ignored.
 */

/** `body`: the text after the second `---`; the whole text without front matter. */
export function readFrontMatter(source: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const lines = source.replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.indexOf("---", 1);
  if (lines[0] !== "---" || end === -1) return { fields: new Map(), body: source };
  const fields = new Map<string, string>();
  for (let at = 1; at < end; at++) {
    const colon = lines[at]?.indexOf(":") ?? -1;
    const name = lines[at]?.slice(0, Math.max(0, colon)) ?? "";
    if (!/^[A-Za-z][\w-]*$/.test(name)) continue;
    const value = lines[at]?.slice(colon + 1).trim() ?? "";
    if (!/^[>|][+-]?$/.test(value)) {
      fields.set(name, unquote(value));
      continue;
    }
    const block: string[] = [];
    while (at + 1 < end && /^(?:\s|$)/.test(lines[at + 1] ?? "")) block.push((lines[++at] ?? "").trim());
    fields.set(name, block.join(value.startsWith(">") ? " " : "\n").trim());
  }
  const rest = lines.slice(end + 1).join("\n");
  return { fields, body: rest.trimStart() };
}

function unquote(value: string): string {
  const quote = value[0];
  if (value.length < 2 || (quote !== '"' && quote !== "'") || value.at(-1) !== quote) return value;
  const inner = value.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, "$1");
}
