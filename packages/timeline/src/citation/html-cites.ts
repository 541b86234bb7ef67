/**
 * Finds `<sup class="cite" data-sids="1,3">` in HTML, in text order.
 *
 * Tags are read as an HTML tokenizer reads them: tag and attribute names in either case, attributes in any order,
 * values in double, single or no quotes, the first of two equal attributes; `cite` may be one of several classes. Text
 * inside a comment, a script, a style sheet or another tag's attribute is not a tag. A tag that never ends is not a
 * tag, and the text after it contains no tags, so every character is read once. Character references in values are not
 * decoded.
 */

export interface HtmlCite {
  readonly start: number;
  /** The `data-sids` attribute as written. */
  readonly sids: string;
}

export function* findHtmlCites(text: string): Generator<HtmlCite> {
  let at = text.indexOf("<");
  while (at >= 0) {
    let end = at + 1;
    if (text.startsWith("!--", end)) {
      const close = text.indexOf("-->", end + 1);
      if (close < 0) return;
      end = close + 3;
    } else if (/[a-z/]/i.test(text.charAt(end))) {
      const tag = readTag(text, end);
      if (tag === null) return;
      end = tag.end;
      if (tag.name === "sup" && tag.sids !== null && tag.cite) yield { start: at, sids: tag.sids };
      if (tag.name === "script" || tag.name === "style") {
        end = endOfRawText(text, end, tag.name);
        if (end < 0) return;
      }
    }
    at = text.indexOf("<", end);
  }
}

interface Tag {
  readonly name: string;
  readonly cite: boolean;
  readonly sids: string | null;
  /** Index just after the `>` of the tag. */
  readonly end: number;
}

const NAME_END = /[ \t\n\f\r/>]|$/g;
const NOT_BETWEEN_ATTRIBUTES = /[^ \t\n\f\r/]|$/g;
const ATTRIBUTE_NAME_END = /[ \t\n\f\r/>=]|$/g;
const NOT_SPACE = /[^ \t\n\f\r]|$/g;
const UNQUOTED_END = /[ \t\n\f\r>]|$/g;

/** The tag whose name begins at `start`; null when it never ends. */
export function readTag(text: string, start: number): Tag | null {
  let at = find(NAME_END, text, start);
  const name = at - start <= 8 ? text.slice(start, at).toLowerCase() : "";
  let classes: string | null = null;
  let sids: string | null = null;
  for (;;) {
    at = find(NOT_BETWEEN_ATTRIBUTES, text, at);
    if (at === text.length) return null;
    if (text.charAt(at) === ">") break;
    const attributeStart = at;
    at = find(ATTRIBUTE_NAME_END, text, at + 1); // A `=` in first place belongs to the name.
    const attribute = at - attributeStart <= 16 ? text.slice(attributeStart, at).toLowerCase() : "";
    let value = "";
    const afterName = find(NOT_SPACE, text, at);
    if (text.charAt(afterName) === "=") {
      at = find(NOT_SPACE, text, afterName + 1);
      const quote = text.charAt(at);
      if (quote === '"' || quote === "'") {
        const close = text.indexOf(quote, at + 1);
        if (close < 0) return null;
        value = text.slice(at + 1, close);
        at = close + 1;
      } else {
        const valueStart = at;
        at = find(UNQUOTED_END, text, at);
        value = text.slice(valueStart, at);
      }
    }
    if (attribute === "class") classes ??= value;
    if (attribute === "data-sids") sids ??= value;
  }
  return { name, cite: classes !== null && /(?:^|[ \t\n\f\r])cite(?:[ \t\n\f\r]|$)/.test(classes), sids, end: at + 1 };
}

function endOfRawText(text: string, start: number, name: "script" | "style"): number {
  const close = name === "script" ? /<\/script(?=[\s/>])/gi : /<\/style(?=[\s/>])/gi;
  close.lastIndex = start;
  return close.exec(text)?.index ?? -1;
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
