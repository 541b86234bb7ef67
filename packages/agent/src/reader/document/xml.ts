/**
 * XML as a stream of events. Only the five entities of XML and character references are replaced; entities defined by a
 * document type are not. Names of elements come without their prefix. Names of attributes come with the usual prefix of
 * their namespace, even if the document uses another prefix.
 */
import { CairnError } from "@cairn/timeline/error";
import { Parser, type ParserOptions } from "htmlparser2";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandlers {
  /** Whether an element is left out, with everything inside it. */
  readonly skips?: (name: string, attributes: Attributes) => boolean;
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Maximum depth, because the parser's time for each element grows with the depth. */
const MAX_DEPTH = 10_000;

/** Throws `too_large` for XML that is nested too deeply. */
export function walkXml(xml: string, { skips, open, text, close }: XmlHandlers): void {
  const usual = new Map<string, string>();
  walk(
    xml,
    { xmlMode: true },
    {
      skips: (name, attributes) => skips?.(localName(name), attributes) ?? false,
      open: (name, attributes) => {
        noteNamespaces(attributes, usual);
        open?.(localName(name), usual.size === 0 ? attributes : withUsualPrefixes(attributes, usual));
      },
      text: (data) => text?.(data),
      close: (name) => close?.(localName(name)),
    },
  );
}

/** Like `walkXml`, but accepts HTML with missing or wrong tags. Names of elements are in lower case. */
export function walkHtml(html: string, handlers: Required<XmlHandlers>): void {
  walk(html, { recognizeSelfClosing: true }, handlers);
}

function walk(markup: string, options: ParserOptions, { skips, open, text, close }: Required<XmlHandlers>): void {
  let depth = 0;
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH)
          throw new CairnError("too_large", "The file cannot be read: it is nested too deeply. Send a simpler file.");
        if (skipped > 0 || skips(name, attributes)) skipped++;
        else open(name, attributes);
      },
      ontext: (data) => {
        if (skipped === 0) text(data);
      },
      onclosetag: (name) => {
        depth--;
        if (skipped > 0) skipped--;
        else close(name);
      },
    },
    { decodeEntities: true, ...options },
  );
  parser.end(markup);
}

export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

const OFFICE = "http://schemas.openxmlformats.org";
const STRICT = "http://purl.oclc.org/ooxml";
const OASIS = "urn:oasis:names:tc:opendocument:xmlns";
/** The usual prefix of each namespace whose attributes are read. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  [`${OFFICE}/wordprocessingml/2006/main`, "w"],
  [`${STRICT}/wordprocessingml/main`, "w"],
  [`${OFFICE}/officeDocument/2006/relationships`, "r"],
  [`${STRICT}/officeDocument/relationships`, "r"],
  ...["style", "table", "text"].map((prefix) => [`${OASIS}:${prefix}:1.0`, prefix] as const),
  [`${OASIS}:xsl-fo-compatible:1.0`, "fo"],
]);

/** Adds to `usual` the unusual prefixes that an element declares, with the usual prefix of each namespace. */
function noteNamespaces(attributes: Attributes, usual: Map<string, string>): void {
  for (const [name, uri] of Object.entries(attributes)) {
    if (!name.startsWith("xmlns:")) continue;
    const prefix = name.slice("xmlns:".length);
    const expected = PREFIXES.get(uri);
    if (expected !== undefined && expected !== prefix) usual.set(prefix, expected);
  }
}

function withUsualPrefixes(attributes: Attributes, usual: ReadonlyMap<string, string>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const colon = name.indexOf(":");
      const prefix = colon < 0 ? undefined : usual.get(name.slice(0, colon));
      return [prefix === undefined ? name : `${prefix}${name.slice(colon)}`, value];
    }),
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
