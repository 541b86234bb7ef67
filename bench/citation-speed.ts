/** How fast citations are replaced in a stream, by the size of the pieces the text comes in. */
import { createCitationStream } from "@cairn/timeline";
import { prose } from "./conversation.ts";
import { fastest } from "./measure.ts";
import type { Measurement } from "./measurement.ts";

const CHARACTERS = 4_000_000;
/** Sizes of pieces: a delta of a model, a read from the network, a file. */
const PIECES = [16, 1_024, 65_536];

const sources = Array.from({ length: 1_000 }, (_, at) => ({
  sid: at + 1,
  title: `Source ${at + 1}`,
  url: `https://example.com/${at + 1}`,
}));

/** MB per second. The text is ASCII, so a character is a byte. */
export function measureCitations(): Measurement[] {
  const plain = prose(1, CHARACTERS);
  const cited = citedText();
  const texts = [
    ["no tokens", plain],
    ["a token every 200 characters", cited],
  ] as const;
  return texts.flatMap(([kind, text]) => {
    const json = text.length / 1e3 / fastest(5, nothing, () => JSON.stringify(text));
    return PIECES.map((size): Measurement => {
      const pieces = cut(text, size);
      const ms = fastest(7, nothing, () => stream(pieces));
      const name = `citation stream, ${kind}, pieces of ${size}`;
      return { name, turns: null, value: text.length / 1e3 / ms, unit: "MB/s", json_stringify: json };
    });
  });
}

function citedText(): string {
  const parts: string[] = [];
  let size = 0;
  for (let nth = 0; size < CHARACTERS; nth++) {
    const part = `${prose(nth, 190)} [[S:${(nth % 1_000) + 1}]]`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

/** Reads every returned piece, so that the engine really joins all concatenated strings. */
function stream(pieces: readonly string[]): number {
  const citations = createCitationStream(sources, "markdown");
  let read = 0;
  for (const piece of pieces) {
    const out = citations.push(piece);
    read += out.length + out.indexOf("\0");
  }
  return read + citations.flush().length;
}

function nothing(): null {
  return null;
}
