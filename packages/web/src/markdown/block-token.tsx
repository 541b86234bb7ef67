/** The blocks of markdown: paragraphs, lists, tables, code, math. HTML in them is shown as text. */
import { decodeHTMLStrict } from "entities/decode";
import type { Token, Tokens } from "marked";
import { createElement, type ReactNode } from "react";
import { AnswerTable } from "./answer-table.tsx";
import { CodeBlock } from "./code-block.tsx";
import { HtmlBlock } from "./html-text.tsx";
import { Inline, plainText } from "./inline-token.tsx";
import type { MathToken } from "./lex.ts";
import { MathText } from "./math-text.tsx";

export interface BlockTokenProps {
  readonly token: Token;
  readonly isOpen?: boolean;
  /** Whether the block is inside another block, whose text direction it then has. */
  readonly isInner?: boolean;
}

/** The direction of a block, from its words: right-to-left for Arabic and Hebrew. */
const BY_ITS_WORDS = { dir: "auto" } as const;

export function BlockToken({ token, isOpen = false, isInner = false }: BlockTokenProps): ReactNode {
  const side = isInner ? undefined : BY_ITS_WORDS;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      // Headings of a text begin at the second level, because the page has its own title.
      return createElement(
        `h${Math.min(6, (token.depth as number) + 1)}`,
        side,
        <Inline tokens={token.tokens ?? []} />,
      );
    case "code":
      return (
        <CodeBlock
          code={token.text as string}
          language={languageOf(token.lang as string | undefined)}
          isOpen={isOpen}
        />
      );
    case "blockquote":
      return <blockquote {...side}>{blocks(token.tokens)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} side={side} />;
    case "table":
      return <AnswerTable table={token as Tokens.Table} {...side} />;
    case "math":
      return <MathText tex={(token as MathToken).tex} isBlock />;
    case "html":
      return <HtmlBlock raw={token.raw} />;
    case "paragraph":
      return (
        <p {...side}>
          <Inline tokens={token.tokens ?? []} />
        </p>
      );
    case "text":
      return token.tokens === undefined ? decodeHTMLStrict(token.text as string) : <Inline tokens={token.tokens} />;
    default:
      return <Inline tokens={[token]} />;
  }
}

function blocks(tokens: readonly Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one finished block never move.
  return tokens?.map((token, index) => <BlockToken key={index} token={token} isInner />);
}

interface ListProps {
  readonly list: Tokens.List;
  readonly side: typeof BY_ITS_WORDS | undefined;
}

function List({ list, side }: ListProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place.
  const items = list.items.map((item, index) => <ListItem key={index} item={item} />);
  if (!list.ordered) return <ul {...side}>{items}</ul>;
  return (
    <ol {...side} start={typeof list.start === "number" ? list.start : 1}>
      {items}
    </ol>
  );
}

function ListItem({ item }: { readonly item: Tokens.ListItem }) {
  if (!item.task) return <li>{blocks(item.tokens)}</li>;
  return (
    <li className="task">
      <input
        type="checkbox"
        checked={item.checked === true}
        disabled
        readOnly
        aria-label={plainText(item.tokens).slice(0, 200)}
      />
      {blocks(item.tokens.filter(({ type }) => type !== "checkbox"))}
    </li>
  );
}

/** The language of a code block: the first word after its fence. */
function languageOf(info: string | undefined): string {
  return /^[\w+#.-]{1,40}/.exec(info ?? "")?.[0]?.toLowerCase() ?? "";
}
