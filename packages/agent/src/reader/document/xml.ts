/**
 * XML as a stream of events. Only the five entities of XML and character references are replaced; what a document type
 * defines is not. Names of elements come without their prefix, names of attributes with it.
 */
import { CairnError } from "@cairn/timeline/error";
import { Parser, type ParserOptions } from "htmlparser2";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandlers {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** The parser takes time in proportion to the depth for each element. */
const MAX_DEPTH = 10_000;

/** Throws `too_large` for what is nested too deeply. */
export function walkXml(xml: string, { open, text, close }: XmlHandlers): void {
  walk(
    xml,
    { xmlMode: true },
    {
      open: (name, attributes) => open?.(localName(name), attributes),
      text: (data) => text?.(data),
      close: (name) => close?.(localName(name)),
    },
  );
}

/** As `walkXml`, for HTML as people write it. Names of elements are in lower case. */
export function walkHtml(html: string, handlers: Required<XmlHandlers>): void {
  walk(html, { recognizeSelfClosing: true }, handlers);
}

function walk(markup: string, options: ParserOptions, { open, text, close }: Required<XmlHandlers>): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH)
          throw new CairnError("too_large", "The file cannot be read: it is nested too deeply. Send a simpler file.");
        open(name, attributes);
      },
      ontext: text,
      onclosetag: (name) => {
        depth--;
        close(name);
      },
    },
    { decodeEntities: true, ...options },
  );
  parser.end(markup);
}

export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
