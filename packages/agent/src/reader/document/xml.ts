/**
 * XML as a stream of events. Only the five entities of XML and character references are replaced; what a document type
 * defines is not. Names of elements come without their prefix, names of attributes with it.
 */
import { Parser } from "htmlparser2";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandlers {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

export function walkXml(xml: string, { open, text, close }: XmlHandlers): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(localName(name), attributes),
      ontext: (data) => text?.(data),
      onclosetag: (name) => close?.(localName(name)),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
