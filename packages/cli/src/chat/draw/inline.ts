/** The text inside a block: emphasis, code and links, as one string with escape codes and line breaks. */
import { stripVTControlCharacters } from "node:util";
import type { Token, Tokens } from "marked";
import type { Pen } from "./style.ts";

export function drawInline(tokens: readonly Token[], pen: Pen): string {
  return tokens.map((token) => drawToken(token as Tokens.Generic, pen)).join("");
}

function drawToken(token: Tokens.Generic, pen: Pen): string {
  const inner = () => (token.tokens === undefined ? decodeEntities(token.text ?? "") : drawInline(token.tokens, pen));
  switch (token.type) {
    case "strong":
      return pen.paint("bold", inner());
    case "em":
      return pen.paint("italic", inner());
    case "del":
      return pen.hasColour ? pen.paint("strikethrough", inner()) : `~~${inner()}~~`;
    case "codespan":
      return pen.hasColour ? pen.paint("cyan", token.text) : `\`${token.text}\``;
    case "br":
      return "\n";
    case "link":
      return drawLink(inner(), String(token.href), pen);
    case "image":
      return drawLink(`[image: ${token.text}]`, String(token.href), pen);
    case "html":
      return token.raw;
    case "text":
      // A soft line break becomes a space, because the terminal breaks the lines.
      return inner().replace(/ *\n */g, " ");
    default:
      return inner();
  }
}

/** The words of a link and the host of its address, so that words cannot pretend to lead to another host. */
function drawLink(words: string, href: string, pen: Pen): string {
  const url = URL.parse(href);
  if (url === null || !/^https?:$/.test(url.protocol)) return pen.paint("underline", words);
  const shown = saysHost(stripVTControlCharacters(words), href, url) ? "" : ` (${url.host})`;
  if (!pen.hasColour) return words === href ? words : `${words} (${href})`;
  const link = `\x1b]8;;${url.href}\x07${pen.paint("underline", words)}\x1b]8;;\x07`;
  return shown === "" ? link : link + pen.paint("dim", shown);
}

/** Whether the words are the link's host or address. A part is not enough: "microsoft.com" contains "t.co". */
function saysHost(words: string, href: string, { host, username, password }: URL): boolean {
  // In "https://example.com@t.co", a reader would take the user name for the host.
  if (username !== "" || password !== "") return false;
  return words === host || words === href || URL.parse(words)?.host === host;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
