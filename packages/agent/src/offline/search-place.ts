/** Where `web_tools.web_search` searches, as the offline model tells the user. */
import type { Phrases } from "./phrases/phrases.ts";

export interface SearchPlace {
  /** The library that comes with Cairn, a folder of the user, or a service that searches the web. */
  readonly kind: "sample" | "folder" | "service";
  /** The name of the folder or of the service. */
  readonly name: string;
  /** The titles of a library. A service has none. */
  readonly titles?: (options: { readonly signal: AbortSignal }) => Promise<Titles>;
}

interface Titles {
  /** The titles of the documents whose paths sort first; a long list is cut. */
  readonly titles: readonly string[];
  /** The number of all documents. */
  readonly count: number;
}

export type Listing = Titles | { readonly failed: string };

export function placeName({ kind, name }: SearchPlace, phrases: Phrases): string {
  switch (kind) {
    case "sample":
      return phrases.sampleLibrary;
    case "folder":
      return phrases.folder(name);
    case "service":
      return phrases.service(name);
  }
}
