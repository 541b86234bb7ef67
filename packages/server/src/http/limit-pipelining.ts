/**
 * A connection may have a few requests without an answer. Node starts every request that has arrived, so a client that
 * sends thousands of requests at once, without a token and without waiting, would be served before all other clients.
 * Browsers, proxies and HTTP libraries send the next request after the answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const MAX_UNANSWERED = 10;

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export function limitPipelining(listener: Listener): Listener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = unanswered.get(socket) ?? 0;
    if (count >= MAX_UNANSWERED || socket.destroyed) {
      // Also ends the requests that wait on this connection.
      socket.destroy();
      return undefined;
    }
    unanswered.set(socket, count + 1);
    response.on("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return listener(request, response);
  };
}
