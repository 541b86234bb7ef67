/**
 * Replaces citation tokens while a text is still being written.
 *
 * The text may be cut into chunks anywhere, even inside a surrogate pair: the returned pieces together always equal the
 * replacement of the whole text. Only a suffix that could still become a token is held back (at most 16,383
 * characters); `flush` gives it out as it is. Text outside tokens is returned unchanged, so a piece may end in half a
 * surrogate pair. To encode the stream, use `TextEncoderStream`, which joins the halves again.
 *
 * A source is linked once per token, unknown ids are dropped from a token that has known ones, and a token without any
 * known id stays as it was written. JSON and YAML carry citations in a field of their own: their text passes unchanged.
 *
 * Replacing can make a text longer without bound; if one push returns more than 2^28 characters, it fails with
 * `citations_too_large` instead of running into the engine's limit on strings.
 */
import { CairnError } from "../base/error.ts";
import { type CitationFormat, checkFormat, checkText } from "./citation-format.ts";
import { type CitedSource, type SourceLookup, sourceLookup } from "./cited-source.ts";
import { type LinkFormat, linkSource } from "./source-link.ts";
import { type IdRange, TokenScanner } from "./token-scanner.ts";

const MAX_OUTPUT_CHARS = 2 ** 28;

export interface CitationStream {
  /** Takes the next piece of the text and returns everything that is final by now. */
  push(chunk: string): string;
  /** Ends the text and returns what was held back. The next `push` starts a new text. */
  flush(): string;
}

/**
 * @example
 * const stream = createCitationStream([{ sid: 1, title: "One", url: "https://e.com/1" }], "markdown");
 * stream.push("Fact [[S:"); // "Fact "
 * stream.push("1]]."); // "[One](https://e.com/1)."
 * stream.flush(); // ""
 */
export function createCitationStream(
  pool: readonly CitedSource[] | SourceLookup,
  format: CitationFormat,
): CitationStream {
  checkFormat(format);
  const lookup = sourceLookup(pool);
  return format === "json" || format === "yaml" ? passThrough() : replaceInStream(lookup, format);
}

function passThrough(): CitationStream {
  return {
    push(chunk) {
      checkText(chunk);
      return chunk;
    },
    flush: () => "",
  };
}

function replaceInStream(lookup: SourceLookup, format: LinkFormat): CitationStream {
  const renderToken = createTokenRenderer(lookup, format);
  let scanner = new TokenScanner();
  let held = "";
  /** Offset of the first held character in the whole text. */
  let base = 0;
  return {
    push(chunk) {
      checkText(chunk);
      const text = held === "" ? chunk : held + chunk;
      const pieces: string[] = [];
      let size = 0;
      let done = 0;
      scanner.scan(chunk, (start, end, ranges) => {
        const replacement = renderToken(ranges, MAX_OUTPUT_CHARS - size);
        if (replacement === null) return;
        const before = text.slice(done, start - base);
        pieces.push(before, replacement);
        size += before.length + replacement.length;
        done = end - base;
      });
      const settled = text.length - scanner.held;
      // Slicing joins the pieces of a held text. Doing it only when something is released keeps long candidates linear.
      if (settled === 0) {
        held = text;
        return "";
      }
      held = settled === text.length ? "" : text.slice(settled);
      base += settled;
      if (done === 0) return held === "" ? text : text.slice(0, settled);
      if (size + settled - done > MAX_OUTPUT_CHARS) throw tooLarge();
      pieces.push(text.slice(done, settled));
      return pieces.join("");
    },
    flush() {
      const rest = held;
      scanner = new TokenScanner();
      held = "";
      base = 0;
      return rest;
    },
  };
}

/** Renders the known ids of a token, or null when it has none. A row never changes, so its link is made once. */
function createTokenRenderer(lookup: SourceLookup, format: LinkFormat) {
  const links = new WeakMap<CitedSource, string>();
  function linkOf(sid: number, source: CitedSource): string {
    let link = links.get(source);
    if (link === undefined) {
      link = linkSource(sid, source, format);
      links.set(source, link);
    }
    return link;
  }
  return (ranges: readonly IdRange[], room: number): string | null => {
    const shown = new Map<number, string>();
    let size = 0;
    for (const { lo, hi } of ranges) {
      for (let sid = lo; sid <= hi; sid++) {
        const source = lookup(sid);
        if (typeof source !== "object" || source === null || shown.has(sid)) continue;
        const link = linkOf(sid, source);
        size += link.length + 1;
        if (size > room) throw tooLarge();
        shown.set(sid, link);
      }
    }
    if (shown.size === 0) return null;
    const text = [...shown.values()].join(" ");
    return format === "markdown" ? text : `<sup class="cite" data-sids="${[...shown.keys()].join(",")}">${text}</sup>`;
  };
}

function tooLarge(): CairnError {
  return new CairnError(
    "citations_too_large",
    `With links in place of its citations, the text has more than ${MAX_OUTPUT_CHARS} characters. Pass a shorter text.`,
    { limit: MAX_OUTPUT_CHARS },
  );
}
