/** A fetched page: its content, and how it was received. */
import type { ExtractedPage } from "../extract/page.ts";

export interface FetchedPage extends ExtractedPage {
  /** The final address after redirects. */
  readonly url: string;
  readonly mime: string;
  readonly bytes: number;
  /** ISO 8601: when the page was last sent or found unchanged. */
  readonly fetchedAt: string;
  readonly image?: { readonly mime: string; readonly bytes: Uint8Array };
}
