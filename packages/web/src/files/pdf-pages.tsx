/** The pages of a PDF, drawn when they become visible. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { Mark } from "../ui/mark.tsx";
import { PassageNote } from "./cited-content.tsx";
import { MAX_PAGES, openPdf } from "./open-pdf.ts";
import { type PageMark, useCitedPage } from "./pdf-passage.ts";

export interface PdfPagesProps {
  readonly address: string;
  /** The text before the citation that led here. */
  readonly claim: string | null;
}

export default function PdfPages({ address, claim }: PdfPagesProps) {
  const [document, setDocument] = useState<PDFDocumentProxy | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const loading = openPdf(address);
    loading.promise.then(setDocument, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
    return () => void loading.destroy();
  }, [address]);
  if (problem !== null) return <p className="p-6 text-sm text-danger">The document could not be shown: {problem}</p>;
  if (document === null) return <Mark breathing className="m-auto size-8" />;
  return <Pages document={document} claim={claim} />;
}

function Pages({ document, claim }: { readonly document: PDFDocumentProxy; readonly claim: string | null }) {
  const count = Math.min(document.numPages, MAX_PAGES);
  const [state, cited] = useCitedPage(document, count, claim);
  return (
    <div className="flex flex-1 flex-col items-center gap-4 bg-sunken px-4 py-5">
      <PassageNote state={state} />
      {Array.from({ length: count }, (_, index) => (
        <Page
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is known by its number.
          key={index}
          document={document}
          number={index + 1}
          marks={cited?.page === index + 1 ? cited.marks : NO_MARKS}
        />
      ))}
      {document.numPages > count ? <p className="text-sm text-faint">The first {MAX_PAGES} pages are shown.</p> : null}
    </div>
  );
}

const WIDTH = 760;
const NO_MARKS: readonly PageMark[] = [];

interface PageProps {
  readonly document: PDFDocumentProxy;
  readonly number: number;
  readonly marks: readonly PageMark[];
}

function Page({ document, number, marks }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    if (marks.length > 0) first.current?.scrollIntoView({ block: "center" });
  }, [marks]);
  const [text, setText] = useState("");
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        seen.disconnect();
        draw(document, number, element).then(setText, (error: unknown) =>
          setText(`The page could not be shown: ${error instanceof Error ? error.message : String(error)}`),
        );
      },
      { rootMargin: "600px" },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [document, number]);
  return (
    <figure className="relative m-0 w-full max-w-[47.5rem]">
      <canvas
        ref={canvas}
        width={WIDTH}
        height={Math.round(WIDTH * Math.SQRT2)}
        className="h-auto w-full bg-[#fff] shadow-float"
      />
      {marks.map((place, index) => (
        <mark
          key={`${place.left} ${place.top}`}
          ref={index === 0 ? first : undefined}
          className="absolute bg-[var(--mark)] opacity-50"
          style={{
            left: `${place.left}%`,
            top: `${place.top}%`,
            width: `${place.width}%`,
            height: `${place.height}%`,
          }}
        />
      ))}
      <figcaption className="sr-only">
        Page {number}. {text}
      </figcaption>
    </figure>
  );
}

/** Draws a page and returns its words. */
async function draw(document: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement): Promise<string> {
  const page = await document.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const scale = (WIDTH / natural.width) * Math.min(2, globalThis.devicePixelRatio);
  const viewport = page.getViewport({ scale });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str : "")).join(" ");
}
