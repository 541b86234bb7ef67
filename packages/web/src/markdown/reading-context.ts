/** The data that a text needs: the sources it cites and the files it names. */
import type { SourceRow } from "@cairn/timeline";
import { createContext } from "react";

export interface Reading {
  readonly source?: (sid: number) => SourceRow | undefined;
  /** Requests an unknown source, which becomes available later if it exists. */
  readonly wantSource?: (sid: number) => void;
  /** Opens the file at a logical path; with the text before a citation, at the cited passage. */
  readonly openFile?: (path: string, claim?: string) => void;
  /** Opens a source at the passage that the text before a citation cites. */
  readonly openSource?: (row: SourceRow, claim: string) => void;
  /** The address of the bytes at a logical path; null when it is not a file of this conversation. */
  readonly fileSource?: (path: string) => string | null;
}

/** The highest SID that a text can cite: a token with a higher one cites nothing. */
export const KnownSourcesContext = createContext(Number.POSITIVE_INFINITY);

/** Whether the text is a document. Its HTML comments are for its authors and are not shown. */
export const DocumentContext = createContext(false);

export const ReadingContext = createContext<Reading>({});
