/** How content is escaped before it is rendered, so that no content can forge a header; see `render/escape.ts`. */
export interface EscapeRules {
  /** Escapes content that starts on a line of its own. */
  readonly payload: (text: string) => string;
  /** Escapes content whose first line continues the header's line. */
  readonly continuation: (text: string) => string;
  /** The first `end` characters of unescaped content. If the end is inside a forged header, that header is escaped. */
  readonly cut: (text: string, end: number) => string;
}
