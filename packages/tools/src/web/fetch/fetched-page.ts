/** A page as it was fetched: what it says, and how it came. */
import type { ExtractedPage } from "../extract/page.ts";

export interface FetchedPage extends ExtractedPage {
  /** Where the redirects led. */
  readonly url: string;
  readonly mime: string;
  readonly bytes: number;
  /** ISO-8601: when the page was last sent or found unchanged. */
  readonly fetchedAt: string;
  readonly image?: { readonly mime: string; readonly bytes: Uint8Array };
}
