/** Inline content: emphasis, code, links, pictures, math, citations. */
import { decodeHTMLStrict } from "entities/decode";
import type { Token } from "marked";
import { type ReactNode, useContext } from "react";
import { StoredImage } from "../ui/stored-bytes.tsx";
import { Citation } from "./citation.tsx";
import { HtmlInline } from "./html-text.tsx";
import type { CitationToken, MathToken } from "./lex.ts";
import { MathText } from "./math-text.tsx";
import { ReadingContext } from "./reading-context.ts";
import { safeImage, safeLink } from "./safe-link.ts";

export function Inline({
  tokens,
  depth = 0,
}: {
  readonly tokens: readonly Token[];
  readonly depth?: number;
}): ReactNode {
  if (depth > 30) return plainText(tokens);
  let before = "";
  return tokens.map((token, index) => {
    const drawn = (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never move.
      <InlineToken key={index} token={token} before={before} depth={depth} />
    );
    before += plainText([token]);
    return drawn;
  });
}

interface InlineTokenProps {
  readonly token: Token;
  /** The text before the token. A citation needs it, because it may contain the quotation. */
  readonly before: string;
  readonly depth: number;
}

function InlineToken({ token, before, depth }: InlineTokenProps): ReactNode {
  const inner = <Inline tokens={token.type === "text" ? [] : (Reflect.get(token, "tokens") ?? [])} depth={depth + 1} />;
  switch (token.type) {
    case "strong":
      return <strong>{inner}</strong>;
    case "em":
      return <em>{inner}</em>;
    case "del":
      return <del>{inner}</del>;
    case "br":
      return <br />;
    case "codespan":
      return <CodeSpan text={decodeHTMLStrict(token.text as string)} />;
    case "link":
      return <TextLink href={token.href as string}>{inner}</TextLink>;
    case "image":
      return <Picture href={token.href as string} alt={decodeHTMLStrict(token.text as string)} />;
    case "math":
      return <MathText tex={(token as MathToken).tex} isBlock={false} />;
    case "citation":
      return <Citation sids={(token as CitationToken).sids} before={before} />;
    case "checkbox":
      return null;
    case "html":
      return <HtmlInline raw={token.raw} />;
    case "text":
      return token.tokens === undefined ? (
        decodeHTMLStrict(token.text as string)
      ) : (
        <Inline tokens={token.tokens} depth={depth + 1} />
      );
    case "escape":
      return decodeHTMLStrict(token.text as string);
    default:
      return token.raw;
  }
}

/** The name of a file without the id of its turn, which people do not know. */
const FILE_OF_TURN = /^fi:turn_\d{10,}_\w+\.[^/]+\/(?:.*\/)?([^/]+)$/;

/** A logical path in a code span becomes a link to its file, if it exists. */
function CodeSpan({ text }: { readonly text: string }) {
  const { openFile, fileSource } = useContext(ReadingContext);
  const isFile = text.startsWith("fi:") && (fileSource?.(text) ?? null) !== null;
  if (!isFile) {
    const [, name] = FILE_OF_TURN.exec(text) ?? [];
    return name === undefined ? <code>{text}</code> : <code title={text}>{name}</code>;
  }
  return (
    <button
      type="button"
      title={text}
      className="text-accent underline underline-offset-2"
      onClick={() => openFile?.(text)}
    >
      {text.split("/").at(-1)}
    </button>
  );
}

function TextLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const { openFile } = useContext(ReadingContext);
  const link = safeLink(href);
  if (link === null) return children;
  if (link.kind === "file")
    return (
      <button type="button" className="text-accent underline underline-offset-2" onClick={() => openFile?.(link.path)}>
        {children}
      </button>
    );
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Pictures of other servers are not loaded, because the owner of the server would learn when the text is read. */
function Picture({ href, alt }: { readonly href: string; readonly alt: string }) {
  const { fileSource } = useContext(ReadingContext);
  const image = safeImage(href);
  const src = image === null ? null : image.kind === "data" ? image.src : (fileSource?.(image.path) ?? null);
  if (src !== null) return <StoredImage address={src} alt={alt} />;
  const link = safeLink(href);
  const name = alt === "" ? "picture" : alt;
  if (link?.kind !== "web") return <em>[{name}]</em>;
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
      {name} (external picture, not loaded)
    </a>
  );
}

/** The words of tokens, without formatting. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => wordsOf(token, 0)).join("");
}

function wordsOf(token: Token, depth: number): string {
  const inner: unknown = Reflect.get(token, "tokens");
  if (Array.isArray(inner) && inner.length > 0 && depth < 30)
    return inner.map((each: Token) => wordsOf(each, depth + 1)).join("");
  if (token.type === "citation") return "";
  const text: unknown = Reflect.get(token, "text");
  return decodeHTMLStrict(typeof text === "string" ? text : token.raw);
}
