/**
 * The tags of the text protocol: `<call-CODE tool>`, `<param-CODE name>` and their ends. Each conversation has its own
 * code, so pages and files that the model repeats cannot contain valid tags. The model may vary the spelling around the
 * code: case, blanks, separators, quotes, `name=`, and a missing bracket at the end of the line.
 */
export interface CallTag {
  readonly kind: "call" | "param";
  readonly isEnd: boolean;
  /** The tool or the parameter; empty if the tag names none. */
  readonly name: string;
  /** Whether the tag ends itself (`/>`). */
  readonly isWhole: boolean;
  readonly length: number;
}

/** Maximum length of a tag before its code, and after its code. */
const MAX_REST = 300;
const HEAD = /^<\s*(\/?)\s*([a-zA-Z]*)([\s:_=-]*)/;

/** The tag at the beginning of a text; `partial` if the text ends inside a tag; null without a tag or a code. */
export function readTag(text: string, code: string | null): CallTag | "partial" | null {
  if (code === null) return null;
  const [head = "", slash = "", word = "", separator = ""] = HEAD.exec(text) ?? [];
  if (head === "" || head.length > MAX_REST) return null;
  const kind = word.toLowerCase();
  if (head.length === text.length)
    return separator === "" && (kind === "" || isBeginning(kind)) ? "partial" : isKind(kind) ? "partial" : null;
  if (!isKind(kind) || separator === "") return null;
  const given = text.slice(head.length, head.length + code.length).toLowerCase();
  if (given !== code) return code.startsWith(given) && head.length + given.length === text.length ? "partial" : null;
  const rest = text.slice(head.length + code.length, head.length + code.length + MAX_REST + 1);
  const end = rest.search(/[<>\n{]/);
  if (end < 0) return rest.length > MAX_REST ? null : "partial";
  const attributes = rest.slice(0, end);
  if (/^\w/.test(attributes)) return null;
  return {
    kind,
    isEnd: slash !== "",
    name: nameIn(attributes),
    isWhole: attributes.trimEnd().endsWith("/"),
    length: head.length + code.length + end + (rest.charAt(end) === ">" ? 1 : 0),
  };
}

function isKind(word: string): word is "call" | "param" {
  return word === "call" || word === "param";
}

function isBeginning(word: string): boolean {
  return "call".startsWith(word) || "param".startsWith(word);
}

/** The name in ` react.read`, ` tool="react.read"` or `: 'react.read' /`. */
function nameIn(attributes: string): string {
  const value = /=\s*["'`]?([\w.:/-]+)/.exec(attributes)?.[1] ?? /["'`]?([\w.:/-]*\w)/.exec(attributes)?.[1];
  return (value ?? "").replace(/^[:/.-]+|[:/.-]+$/g, "");
}
