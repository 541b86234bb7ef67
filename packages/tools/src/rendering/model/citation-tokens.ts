/** Finds citation tokens: a candidate has the brackets of a token, and `extractCitations` reads ids from it. */
import { extractCitations } from "@cairn/timeline/citations";
import type { Inline } from "./document.ts";

/** Matches candidates. A token contains no other brackets, so a candidate is a token or contains none. */
const CANDIDATE = /[[［]{2}[^[\]［］]{1,16380}[\]］]{2}/g;
const CANDIDATE_HERE = /^[[［]{2}[^[\]［］]{1,16380}[\]］]{2}/;

type Citation = Extract<Inline, { kind: "citation" }>;

export function citationAt(text: string): Citation | null {
  const token = CANDIDATE_HERE.exec(text)?.[0];
  return token === undefined ? null : citationOf(token);
}

export function splitCitations(text: string): Inline[] {
  const inlines: Inline[] = [];
  let from = 0;
  for (const { 0: token, index } of text.matchAll(CANDIDATE)) {
    const citation = citationOf(token);
    if (citation === null) continue;
    if (index > from) inlines.push({ kind: "text", text: text.slice(from, index) });
    inlines.push(citation);
    from = index + token.length;
  }
  if (from < text.length) inlines.push({ kind: "text", text: text.slice(from) });
  return inlines;
}

function citationOf(token: string): Citation | null {
  const sids = extractCitations(token, "markdown");
  return sids.length === 0 ? null : { kind: "citation", sids, token };
}
