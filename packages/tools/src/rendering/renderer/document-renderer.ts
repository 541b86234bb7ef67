/**
 * The interface of a renderer: Markdown or HTML in, the bytes of a document out.
 *
 * A renderer asks its caller for what the content names: pictures by their address as written, sources by SID. A
 * renderer reads no other file and opens no connection. A renderer reports missing things and renders without them.
 */
import type { CitedSource } from "../model/cited.ts";
import type { ThemeName } from "./theme.ts";

export const TARGETS = ["pdf", "png", "docx", "pptx"] as const;
export type DocumentTarget = (typeof TARGETS)[number];

export type ContentFormat = "markdown" | "html";

export const PAGE_SIZES = ["a4", "a5", "letter", "legal"] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

export interface DocumentOptions {
  readonly title: string | null;
  readonly author: string | null;
  /** The date as printed, such as `15 November 2026`. */
  readonly date: string | null;
  readonly pageSize: PageSize;
  readonly landscape: boolean;
  readonly theme: ThemeName;
  readonly toc: boolean;
  readonly pageNumbers: boolean;
  /** Two letters (ISO 639-1), for hyphenation and screen readers. */
  readonly language: string;
  /** Width of a PNG, in pixels. */
  readonly width: number;
}

export const DEFAULT_OPTIONS: DocumentOptions = {
  title: null,
  author: null,
  date: null,
  pageSize: "a4",
  landscape: false,
  theme: "modern",
  toc: false,
  pageNumbers: true,
  language: "en",
  width: 1_600,
};

export interface RenderRequest {
  readonly target: DocumentTarget;
  readonly content: string;
  readonly format: ContentFormat;
  readonly options: DocumentOptions;
}

/** Provides what the content names. Each name is requested once. */
export interface DocumentSupply {
  /** The bytes of a picture; null when there is none. */
  image(src: string): Promise<Uint8Array | null>;
  source(sid: number): Promise<CitedSource | null>;
}

export interface RenderedDocument {
  readonly bytes: Uint8Array;
  /** Number of pages or slides; 1 for a picture. */
  readonly pages: number;
  /** SIDs that are in the list of sources. */
  readonly cited: readonly number[];
  readonly missingImages: readonly string[];
  /** Pictures that could not be rendered, with the reason. */
  readonly badImages: readonly { readonly src: string; readonly reason: string }[];
  readonly missingSids: readonly number[];
  /** Other remarks for readers of the document, such as that a picture was cut. */
  readonly remarks: readonly string[];
}

export interface DocumentRenderer {
  accepts(target: DocumentTarget, format: ContentFormat): boolean;
  /** Throws `renderer_missing`, `document_too_complex`, `document_empty`, `document_failed`. */
  render(request: RenderRequest, supply: DocumentSupply, signal: AbortSignal): Promise<RenderedDocument>;
  /** Describes what is installed and what is missing, for people. */
  describe(): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /** Ends idle processes. */
  close(): Promise<void>;
}
