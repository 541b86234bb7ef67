/**
 * Fetches pages: checks addresses, enforces limits and rate limits, and parses responses in a separate process. `fetch`
 * throws a `CairnError` with the reason; the call always ends, and a page that is incomplete says so.
 *
 * ```ts
 * const fetcher = new PageFetcher({ allow: process.env.CAIRN_FETCH_ALLOW ?? "" });
 * const page = await fetcher.fetch("https://example.com", { signal });
 * ```
 */
import type { ProcessPoolOptions } from "@cairn/agent";
import { charsetOf } from "@cairn/agent/charset";
import { CairnError } from "@cairn/timeline";
import { Extractor } from "../extract/extractor.ts";
import { parseAllowList } from "./allow-list.ts";
import { kindOf } from "./document-kind.ts";
import { parseEgress } from "./egress.ts";
import { FETCH_LIMITS, type FetchLimits } from "./fetch-limits.ts";
import type { FetchedPage } from "./fetched-page.ts";
import type { GuardOptions } from "./guarded-agent.ts";
import { HostManners, MANNERS, type MannersOptions } from "./host-manners.ts";
import { type ExchangeOptions, exchange, type HttpPage } from "./http-exchange.ts";
import { PageCache } from "./page-cache.ts";

export interface PageFetcherOptions extends Pick<GuardOptions, "resolve" | "refuses"> {
  /** Hosts that may be fetched from, whatever their address: `host` or `host:port`. */
  readonly allow?: string | readonly string[];
  /** If set, only these hosts are fetched from: `host`, `host:port` or `*.example.com`. */
  readonly only?: string | readonly string[];
  readonly limits?: Partial<FetchLimits>;
  readonly manners?: Partial<MannersOptions>;
  /** Limits for separate reader processes; default: pages use the server's shared ones. */
  readonly extractor?: Partial<ProcessPoolOptions>;
  readonly userAgent?: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

const USER_AGENT = "Cairn/0.1 (agent; fetches single pages on a person's behalf)";

export class PageFetcher {
  readonly #exchange: ExchangeOptions;
  readonly #manners: HostManners;
  readonly #cache = new PageCache();
  readonly #extractor: Extractor;
  readonly #now: () => number;

  constructor(options: PageFetcherOptions = {}) {
    const { resolve, refuses } = options;
    this.#now = options.now ?? Date.now;
    this.#manners = new HostManners({ ...MANNERS, ...options.manners }, this.#now);
    this.#extractor = new Extractor(options.extractor);
    this.#exchange = {
      isAllowed: parseAllowList(options.allow ?? []),
      isReachable: parseEgress(options.only ?? []),
      ...(resolve === undefined ? {} : { resolve }),
      ...(refuses === undefined ? {} : { refuses }),
      limits: { ...FETCH_LIMITS, ...options.limits },
      userAgent: options.userAgent ?? USER_AGENT,
      enter: (url, signal) => this.#manners.enter(url, signal),
      known: (url) => this.#cache.validators(url),
    };
  }

  async fetch(url: string, { signal }: { readonly signal: AbortSignal }): Promise<FetchedPage> {
    let answer: HttpPage;
    try {
      answer = await exchange(url, this.#exchange, signal);
    } catch (error) {
      if (CairnError.is(error)) this.#manners.heed(error.details);
      throw error;
    }
    const fetchedAt = new Date(this.#now()).toISOString();
    if (answer.bytes === null) {
      const kept = this.#cache.get(answer.url);
      if (kept === undefined)
        throw new CairnError(
          "bad_answer",
          `${answer.url} answered 304 Not Modified to a request that did not ask for it.`,
        );
      // Earlier fetches must not be visible to others: the page is returned as if it had just been sent.
      return { ...kept, fetchedAt };
    }
    const page = await this.#read(answer, answer.bytes, fetchedAt, signal);
    this.#cache.put(answer, page);
    return page;
  }

  async close(): Promise<void> {
    await this.#extractor.close();
  }

  async #read(answer: HttpPage, bytes: Uint8Array, fetchedAt: string, signal: AbortSignal): Promise<FetchedPage> {
    const { url, contentType } = answer;
    const kind = kindOf(bytes, contentType);
    const mime = contentType.split(";", 1)[0]?.trim() ?? "";
    const common = { url, bytes: bytes.length, fetchedAt };
    if ("refused" in kind)
      throw new CairnError(
        "unsupported_type",
        `${url.slice(0, 300)} is ${kind.refused.slice(0, 100)}, which cannot be read as text.`,
      );
    if ("image" in kind) return { ...common, mime: kind.image, text: "", image: { mime: kind.image, bytes } };
    const charset = charsetOf(contentType);
    const page = await this.#extractor.extract({ bytes, kind: kind.document, charset, baseUrl: url }, signal);
    // A document without text, such as a scan, is not an empty page.
    if (page.text === "" && page.problem !== undefined) throw new CairnError("unreadable", page.problem);
    return { ...page, ...common, mime: kind.document === "pdf" ? "application/pdf" : mime || "text/plain" };
  }
}
