/** How content is escaped before it is rendered, so that no content can forge a header; see `render/escape.ts`. */
export interface EscapeRules {
  /** Escapes a payload that starts on a line of its own. */
  readonly payload: (text: string) => string;
  /** Escapes a payload whose first line continues a header's line. */
  readonly continuation: (text: string) => string;
  /** The first `end` characters of an unescaped payload. If the cut is inside a header, that header is escaped. */
  readonly cut: (text: string, end: number) => string;
}
