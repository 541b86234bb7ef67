/**
 * A cache of fetched pages with their validators, so that an unchanged page is not sent again. The cache is in memory,
 * and the least recently used pages are dropped first. Pages are fetched without cookies or credentials, so the cache
 * contains nothing private; `no-store` responses are not kept.
 */
import type { FetchedPage } from "./fetched-page.ts";
import type { HttpPage, Validators } from "./http-exchange.ts";

const MAX_PAGES = 200;
const MAX_CHARS = 20_000_000;

interface Kept {
  readonly page: FetchedPage;
  readonly validators: Validators;
  readonly chars: number;
}

export class PageCache {
  readonly #pages = new Map<string, Kept>();
  #chars = 0;

  validators(url: string): Validators | undefined {
    return this.#pages.get(url)?.validators;
  }

  get(url: string): FetchedPage | undefined {
    const kept = this.#pages.get(url);
    if (kept === undefined) return undefined;
    this.#pages.delete(url);
    this.#pages.set(url, kept);
    return kept.page;
  }

  put({ url, headers }: HttpPage, page: FetchedPage): void {
    this.#drop(url);
    const { etag, "last-modified": lastModified } = headers;
    const chars = page.text.length + (page.image?.bytes.length ?? 0);
    const isKept =
      (etag !== undefined || lastModified !== undefined) && !/no-store/i.test(headers["cache-control"] ?? "");
    if (!isKept || chars > MAX_CHARS / 4) return;
    const validators = {
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { lastModified }),
    };
    this.#pages.set(url, { page, validators, chars });
    this.#chars += chars;
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES && this.#chars <= MAX_CHARS) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#chars -= this.#pages.get(url)?.chars ?? 0;
    this.#pages.delete(url);
  }
}
