/** What a text needs of the place it stands in: the sources it cites and the files it names. */
import type { SourceRow } from "@cairn/timeline";
import { createContext } from "react";

export interface Reading {
  readonly source?: (sid: number) => SourceRow | undefined;
  /** Asks for a source that is not known yet; it is there later, if it is anywhere. */
  readonly wantSource?: (sid: number) => void;
  /** Opens the file at a logical path; with the text before a citation, at the passage that is cited. */
  readonly openFile?: (path: string, claim?: string) => void;
  /** Opens a source at the passage that the text before a citation cites. */
  readonly openSource?: (row: SourceRow, claim: string) => void;
  /** Where the bytes at a logical path are; null when it is no file of this conversation. */
  readonly fileSource?: (path: string) => string | null;
}

/** The highest SID a text can cite: a token with a higher one cites nothing. */
export const KnownSourcesContext = createContext(Number.POSITIVE_INFINITY);

export const ReadingContext = createContext<Reading>({});
