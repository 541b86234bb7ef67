/** Tokens of the lexer, including our extensions, as one union, because the lexer's own types leave extensions open. */
import type { Tokens } from "marked";

export type BlockToken =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.List
  | Tokens.Table
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Space
  | Tokens.Def
  | Tokens.Checkbox
  | { readonly type: "footnoteDef"; readonly raw: string; readonly id: string; readonly body: string }
  | { readonly type: "mathBlock"; readonly raw: string; readonly tex: string };

export type InlineToken =
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Tag
  | Tokens.Checkbox
  | { readonly type: "citation"; readonly raw: string; readonly sids: readonly number[] }
  | { readonly type: "footnoteRef"; readonly raw: string; readonly id: string }
  | { readonly type: "mathInline"; readonly raw: string; readonly tex: string };
