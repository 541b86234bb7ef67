/** A web server for tests: answers by path, and records requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type PageHandler = (request: IncomingMessage, answer: ServerResponse) => void;

export class PageServer implements AsyncDisposable {
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server;
  readonly #pages: ReadonlyMap<string, PageHandler>;

  private constructor(pages: Readonly<Record<string, PageHandler>>) {
    this.#pages = new Map(Object.entries(pages));
    this.#server = createServer((request, answer) => {
      this.requests.push(request);
      const handler = this.#pages.get(new URL(request.url ?? "/", "http://x").pathname);
      if (handler === undefined) answer.writeHead(404).end("No such page.");
      else handler(request, answer);
    });
  }

  static async start(pages: Readonly<Record<string, PageHandler>>): Promise<PageServer> {
    const server = new PageServer(pages);
    await new Promise<void>((done) => server.#server.listen(0, "127.0.0.1", done));
    return server;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/** Makes an answer with a body of the given media type. */
export function page(
  type: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): PageHandler {
  return (_, answer) => {
    answer.writeHead(200, { "content-type": type, ...headers }).end(body);
  };
}
