/**
 * Simulated search services over HTTP, with a few documents: SearXNG's JSON, Brave's and Tavily's web search. The
 * services are strict: they reject requests as the real services do. Ranking is by the number of query words that
 * occur.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DAY_MS, type SearchedDocument } from "./searched-document.ts";

export type ServiceName = "searxng" | "brave" | "tavily";

export const SERVICE_KEY = "test-key-123";

interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

const SPAN_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  month: 31,
  year: 366,
  pd: 1,
  pw: 7,
  pm: 31,
  py: 366,
};

export class SearchService implements AsyncDisposable {
  /** If set, every request is answered with this status. */
  failWith: number | null = null;
  readonly requests: { readonly url: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[] =
    [];
  readonly #server: Server;
  readonly #documents: readonly SearchedDocument[];
  readonly #urlOf: (document: SearchedDocument) => string;

  private constructor(
    name: ServiceName,
    documents: readonly SearchedDocument[],
    urlOf: (document: SearchedDocument) => string,
  ) {
    this.#documents = documents;
    this.#urlOf = urlOf;
    const services = { searxng: this.#searxng, brave: this.#brave, tavily: this.#tavily };
    this.#server = createServer((request, response) => {
      const answer = (body: string) => {
        const url = new URL(request.url ?? "/", "http://service");
        this.requests.push({ url: url.href, headers: request.headers, body });
        const failed = this.failWith === null ? null : { status: this.failWith, body: { error: "told to fail" } };
        send(response, failed ?? services[name].call(this, request, url, body));
      };
      // A client that disconnects before it has sent its request gets no answer.
      readBody(request).then(answer, (error: Error) => response.destroy(error));
    });
  }

  static async start(
    name: ServiceName,
    documents: readonly SearchedDocument[],
    urlOf: (document: SearchedDocument) => string = ({ name }) => `https://pages.example/${name}`,
  ): Promise<SearchService> {
    const service = new SearchService(name, documents, urlOf);
    await new Promise<void>((done) => service.#server.listen(0, "127.0.0.1", done));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #searxng(request: IncomingMessage, url: URL): ServiceAnswer {
    if (url.pathname !== "/search" || request.method !== "GET") return { status: 404, body: "not found" };
    if (url.searchParams.get("format") !== "json") return { status: 403, body: "forbidden" };
    const query = url.searchParams.get("q") ?? "";
    if (query === "") return { status: 400, body: "no query" };
    const range = url.searchParams.get("time_range");
    if (range !== null && !["day", "week", "month", "year"].includes(range)) return { status: 400, body: "bad range" };
    const page = Number(url.searchParams.get("pageno") ?? 1);
    const results = page > 1 ? [] : this.#rank(query, range);
    return {
      status: 200,
      body: {
        query,
        number_of_results: results.length,
        results: results.map((document) => ({
          url: this.#urlOf(document),
          title: document.title,
          content: document.text,
          publishedDate: dateOf(document),
          engine: "test",
          score: 1,
        })),
        answers: [],
        suggestions: [],
        unresponsive_engines: [["sleepy", "timeout"]],
      },
    };
  }

  #brave(request: IncomingMessage, url: URL): ServiceAnswer {
    if (url.pathname !== "/res/v1/web/search") return { status: 404, body: {} };
    if (request.headers["x-subscription-token"] !== SERVICE_KEY)
      return { status: 401, body: { type: "ErrorResponse" } };
    const query = url.searchParams.get("q") ?? "";
    const count = Number(url.searchParams.get("count") ?? 20);
    const isWrong =
      query === "" || query.length > 400 || query.split(/\s+/).length > 50 || !(count >= 1 && count <= 20);
    if (isWrong) return { status: 422, body: { type: "ErrorResponse" } };
    const results = this.#rank(query, url.searchParams.get("freshness")).slice(0, count);
    return {
      status: 200,
      body: {
        type: "search",
        query: { original: query },
        web: {
          type: "search",
          results: results.map((document) => ({
            title: escapeHtml(document.title),
            url: this.#urlOf(document),
            description: escapeHtml(document.text).replace(/cairn/gi, "<strong>$&</strong>"),
            page_age: dateOf(document).slice(0, 19),
          })),
        },
      },
    };
  }

  #tavily(request: IncomingMessage, url: URL, body: string): ServiceAnswer {
    if (url.pathname !== "/search" || request.method !== "POST") return { status: 404, body: {} };
    if (request.headers.authorization !== `Bearer ${SERVICE_KEY}`)
      return { status: 401, body: { detail: { error: "Unauthorized" } } };
    const { query, max_results, time_range } = JSON.parse(body) as Record<string, unknown>;
    const isWrong =
      typeof query !== "string" ||
      query === "" ||
      query.length > 400 ||
      !(Number(max_results) >= 0 && Number(max_results) <= 20);
    if (isWrong) return { status: 400, body: { detail: { error: "Bad request" } } };
    const results = this.#rank(query, typeof time_range === "string" ? time_range : null).slice(0, Number(max_results));
    return {
      status: 200,
      body: {
        query,
        results: results.map((document) => ({
          title: document.title,
          url: this.#urlOf(document),
          content: document.text,
          score: 0.5,
          raw_content: null,
        })),
        response_time: 0.1,
      },
    };
  }

  #rank(query: string, range: string | null): SearchedDocument[] {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
    const oldest = range === null ? Number.POSITIVE_INFINITY : (SPAN_DAYS[range] ?? 0);
    const scored = this.#documents.map((document) => {
      const text = `${document.title} ${document.text}`.toLowerCase();
      return { document, score: words.reduce((sum, word) => sum + text.split(word).length - 1, 0) };
    });
    return scored
      .filter(({ document, score }) => score > 0 && document.age <= oldest)
      .sort((a, b) => b.score - a.score)
      .map(({ document }) => document);
  }
}

function dateOf({ age }: SearchedDocument): string {
  return new Date(Date.now() - age * DAY_MS).toISOString();
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, { status, body }: ServiceAnswer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
