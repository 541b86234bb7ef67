/** Splits a text that is too long for one place: at sentences, otherwise at words, otherwise anywhere. */
import { type Inline, plainText } from "../model/document.ts";

export function splitText(inlines: readonly Inline[], fits: (text: string) => boolean): (readonly Inline[])[] {
  if (fits(plainText(inlines))) return [inlines];
  const parts: Inline[][] = [[]];
  let text = "";
  for (const inline of inlines.flatMap((each) => sentences(each, fits))) {
    const more = plainText([inline]);
    if (text !== "" && !fits(text + more)) {
      parts.push([]);
      text = "";
    }
    parts.at(-1)?.push(inline);
    text += more;
  }
  return parts;
}

function sentences(inline: Inline, fits: (text: string) => boolean): Inline[] {
  if (inline.kind !== "text" || inline.text.length < 80) return [inline];
  return (inline.text.match(/[\s\S]+?(?:[.!?。！？]\s*|$)/g) ?? []).flatMap((text) =>
    pieces(text, fits).map((piece): Inline => ({ kind: "text", text: piece })),
  );
}

/** Halves a text until its pieces fit, between words if possible. */
function pieces(text: string, fits: (text: string) => boolean): string[] {
  if (text.length < 2 || fits(text)) return [text];
  const middle = Math.floor(text.length / 2);
  const space = text.lastIndexOf(" ", middle);
  let at = space > text.length / 4 ? space + 1 : middle;
  // Moves the cut so that it never splits a character.
  if (/[\udc00-\udfff]/.test(text.charAt(at))) at++;
  return [...pieces(text.slice(0, at), fits), ...pieces(text.slice(at), fits)];
}
