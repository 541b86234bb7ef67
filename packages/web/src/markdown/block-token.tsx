/** The blocks of markdown: paragraphs, lists, tables, code, math. HTML in them is shown as the text it is. */
import type { Token, Tokens } from "marked";
import { createElement, type ReactNode } from "react";
import { REACHABLE } from "../ui/reachable.ts";
import { CodeBlock } from "./code-block.tsx";
import { decodeEntities } from "./entities.ts";
import { Inline, plainText } from "./inline-token.tsx";
import type { MathToken } from "./lex.ts";
import { MathText } from "./math-text.tsx";

export interface BlockTokenProps {
  readonly token: Token;
  readonly isOpen?: boolean;
}

export function BlockToken({ token, isOpen = false }: BlockTokenProps): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      // The page has its own title: those of a text start one level below it.
      return createElement(
        `h${Math.min(6, (token.depth as number) + 1)}`,
        null,
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
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "math":
      return <MathText tex={(token as MathToken).tex} isBlock />;
    case "html":
      return <p className="whitespace-pre-wrap">{token.raw.trimEnd()}</p>;
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens ?? []} />
        </p>
      );
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text as string) : <Inline tokens={token.tokens} />;
    default:
      return <Inline tokens={[token]} />;
  }
}

function blocks(tokens: readonly Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one finished block never move.
  return tokens?.map((token, index) => <BlockToken key={index} token={token} />);
}

function List({ list }: { readonly list: Tokens.List }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place.
  const items = list.items.map((item, index) => <ListItem key={index} item={item} />);
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={typeof list.start === "number" ? list.start : 1}>{items}</ol>;
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

function Table({ table }: { readonly table: Tokens.Table }) {
  const cell = (Tag: "th" | "td", { tokens, align }: Tokens.TableCell, key: number) => (
    <Tag key={key} {...(align === null ? {} : { "data-align": align })} {...(Tag === "th" ? { scope: "col" } : {})}>
      <Inline tokens={tokens} />
    </Tag>
  );
  return (
    <section className="table-scroll" {...REACHABLE} aria-label="Table">
      <table className="data-table">
        <thead>
          <tr>{table.header.map((each, column) => cell("th", each, column))}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table never move.
            <tr key={at}>{row.map((each, column) => cell("td", each, column))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The first word behind the fence. */
function languageOf(info: string | undefined): string {
  return /^[\w+#.-]{1,40}/.exec(info ?? "")?.[0]?.toLowerCase() ?? "";
}
