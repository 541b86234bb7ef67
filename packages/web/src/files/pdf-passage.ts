/** The page of a PDF that a citation refers to, and the position of the cited words on it. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useState } from "react";
import { findPassage } from "../markdown/find-passage.ts";
import { wordsOf } from "./open-pdf.ts";
import type { PassageState } from "./use-passage.ts";

/** A marked place on a page. Its numbers are percentages of the page's size. */
export interface PageMark {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface CitedPage {
  readonly page: number;
  readonly marks: readonly PageMark[];
}

/** Pages are read until the quoted words are found. Without a quotation, the first likely page is used. */
export function useCitedPage(
  document: PDFDocumentProxy,
  pages: number,
  claim: string | null,
): readonly [PassageState, CitedPage | null] {
  const [found, setFound] = useState<readonly [PassageState, CitedPage | null]>(["looking", null]);
  useEffect(() => {
    if (claim === null) return;
    let isOver = false;
    findPage(document, pages, claim, () => isOver).then(
      (cited) => {
        if (!isOver) setFound([cited === null ? "missing" : "marked", cited]);
      },
      () => {
        if (!isOver) setFound(["missing", null]);
      },
    );
    return () => {
      isOver = true;
    };
  }, [document, pages, claim]);
  return found;
}

async function findPage(
  document: PDFDocumentProxy,
  pages: number,
  claim: string,
  isOver: () => boolean,
): Promise<CitedPage | null> {
  let likely: CitedPage | null = null;
  for (let page = 1; page <= pages && !isOver(); page++) {
    const cited = await citedOn(document, page, claim);
    if (cited?.isQuoted === true) return cited;
    likely ??= cited;
  }
  return likely;
}

async function citedOn(document: PDFDocumentProxy, number: number, claim: string) {
  const { page, words } = await wordsOf(document, number);
  const text = words.map(({ str }) => str).join(" ");
  const passage = findPassage(claim, text);
  if (passage === null) return null;
  const viewport = page.getViewport({ scale: 1 });
  const marks: PageMark[] = [];
  let at = 0;
  for (const { str, transform, width, height } of words) {
    const from = Math.max(0, passage.start - at);
    const to = Math.min(str.length, passage.end - at);
    at += str.length + 1;
    if (from >= to || str.trim() === "") continue;
    // Assumes that all characters have the same width, because a mark is only a hint.
    const [, , , , x = 0, y = 0] = transform as readonly number[];
    const [left = 0, bottom = 0] = viewport.convertToViewportPoint(x + (width * from) / str.length, y) as number[];
    marks.push({
      left: (100 * left) / viewport.width,
      top: (100 * (bottom - height)) / viewport.height,
      width: (100 * width * (to - from)) / str.length / viewport.width,
      height: (100 * height * 1.2) / viewport.height,
    });
  }
  return { page: number, marks, isQuoted: passage.isQuoted };
}
