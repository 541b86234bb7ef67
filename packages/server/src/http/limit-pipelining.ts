/**
 * Limits the number of unanswered requests on one connection. Node starts every request that has arrived. So a client
 * without a token that sends thousands of requests, without waiting for answers, would delay all other clients.
 * Browsers, proxies and HTTP libraries wait for each answer.
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
      // This also ends the unanswered requests of the connection.
      socket.destroy();
      return undefined;
    }
    unanswered.set(socket, count + 1);
    response.on("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return listener(request, response);
  };
}
