/** The data that a text needs: the sources it cites and the files it names. */
import type { SourceRow } from "@cairn/timeline";
import { createContext } from "react";

export interface Reading {
  readonly source?: (sid: number) => SourceRow | undefined;
  /** Requests an unknown source. If it exists, it becomes available later. */
  readonly wantSource?: (sid: number) => void;
  /** Opens the file at a logical path. With the text before a citation, opens it at the cited passage. */
  readonly openFile?: (path: string, claim?: string) => void;
  /** Opens a source at the passage that a citation refers to, by the text before the citation. */
  readonly openSource?: (row: SourceRow, claim: string) => void;
  /** The address of the bytes at a logical path; null when it is not a file of this conversation. */
  readonly fileSource?: (path: string) => string | null;
}

/** The highest SID that the text can cite. A token with a higher number is not a citation. */
export const KnownSourcesContext = createContext(Number.POSITIVE_INFINITY);

/** Whether the text is a document. Its HTML comments are for its authors and are not shown. */
export const DocumentContext = createContext(false);

export const ReadingContext = createContext<Reading>({});
