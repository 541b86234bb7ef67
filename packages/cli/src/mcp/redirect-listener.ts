/** Receives the redirect of a login on this machine: an HTTP request with the answer of the authorization server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CairnError } from "@cairn/timeline";

export interface RedirectListener extends AsyncDisposable {
  /** The redirect URL, to which the authorization server sends the user's browser. */
  readonly url: string;
  /**
   * Resolves with the query of the redirect that has this `state`. Redirects with another state are ignored, because
   * any page in a browser on this machine can send requests here.
   */
  receive(state: string): Promise<URLSearchParams>;
}

const PATH = "/callback";
const PAGE = "<!doctype html><meta charset=utf-8><title>Cairn</title><p>You can close this page and return to Cairn.";

/** `port`: 0 for any free port. */
export async function listenForRedirect(port: number): Promise<RedirectListener> {
  const { promise: received, resolve } = Promise.withResolvers<URLSearchParams>();
  let expected: string | null = null;
  const server = createServer((request, answer) => {
    const target = URL.parse(request.url ?? "/", "http://127.0.0.1");
    const searchParams = target?.pathname === PATH ? target.searchParams : new URLSearchParams();
    const isAnswer = searchParams.has("code") || searchParams.has("error");
    if (!isAnswer || expected === null || searchParams.get("state") !== expected) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": "text/html", connection: "close" }).end(PAGE);
    resolve(searchParams);
  });
  await new Promise<void>((done, fail) => {
    server.on("error", (error) => {
      fail(
        new CairnError(
          "bad_setting",
          `The login needs port ${port} of this machine for its redirect, and the port cannot be opened: ${error.message}`,
        ),
      );
    });
    server.listen(port, "127.0.0.1", done);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}${PATH}`,
    receive: (state) => {
      expected = state;
      return received;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
